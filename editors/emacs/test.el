;;; test.el --- a session in Emacs, in batch  -*- lexical-binding: t -*-

;; emacs --batch -l test.el FILE ADAPTER...: launches FILE, stops at its line 8, steps, and
;; reads v; what it came to is printed. Exit status 0 when it has come to the end.

;;; Code:

(package-initialize)
(defvar gulo-test-here (file-name-directory (or load-file-name buffer-file-name)))
(setq user-emacs-directory (make-temp-file "gulo-emacs" t)
      dap-breakpoints-file (expand-file-name "breakpoints" user-emacs-directory)
      lsp-session-file (expand-file-name "session" user-emacs-directory)
      dap-auto-configure-features nil)
(load (expand-file-name "gulo.el" gulo-test-here) nil t)

(defvar gulo-test-file (pop command-line-args-left))
(setq gulo-program command-line-args-left
      command-line-args-left nil)

(defvar gulo-test-stops 0)
(add-hook 'dap-stopped-hook (lambda (_) (setq gulo-test-stops (1+ gulo-test-stops))))

(defun gulo-test-wait (what ready)
  "Wait until READY returns non-nil; WHAT is waited for."
  (let ((end (+ (float-time) 120)) got)
    (while (not (setq got (funcall ready)))
      (when (> (float-time) end)
        (princ (format "%s: nothing came\n" what))
        (kill-emacs 1))
      (accept-process-output nil 0.05))
    got))

(defun gulo-test-line ()
  "The line at which the program stands; nil when that is not known yet."
  (let* ((s (dap--cur-session)) (f (and s (dap--debug-session-active-frame s))))
    (and f (gethash "line" f))))

(defun gulo-test-value (x)
  "The value of the expression X."
  (let (got)
    (dap--send-message
     (dap--make-request "evaluate" (list :expression x :context "watch" :frameId (gethash "id" (dap--debug-session-active-frame (dap--cur-session)))))
     (lambda (r) (setq got (if (gethash "success" r) (gethash "result" (gethash "body" r)) (gethash "message" r))))
     (dap--cur-session))
    (gulo-test-wait x (lambda () got))))

(with-current-buffer (find-file-noselect gulo-test-file)
  (goto-char (point-min))
  (forward-line 7)
  (dap-breakpoint-add)
  (dap-debug (gulo--configuration (list :name "test" :engine "machine"))))
(gulo-test-wait "breakpoint" (lambda () (and (= gulo-test-stops 1) (gulo-test-line))))
(princ (format "line %d v %s\n" (gulo-test-line) (gulo-test-value "v")))
(dap-next (dap--cur-session))
(gulo-test-wait "step" (lambda () (and (= gulo-test-stops 2) (eql (gulo-test-line) 9))))
(princ (format "line %d n->v %s\n" (gulo-test-line) (gulo-test-value "n->v")))
(dap-disconnect (dap--cur-session))
(kill-emacs 0)
;;; test.el ends here
