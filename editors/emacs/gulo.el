;;; gulo.el --- gulo's debugger in dap-mode  -*- lexical-binding: t -*-

;; Put this file into the load path and (require 'gulo) in your configuration. M-x dap-debug
;; then knows "gulo: this file". Needs dap-mode (Debian: elpa-dap-mode) and gulo.

;;; Code:

(require 'dap-mode)
(require 'dap-ui) ; dap-mode asks it which exceptions stop the program

(defgroup gulo nil "A debugger for C that repairs." :group 'dap-mode)

(defcustom gulo-program '("gulo" "dap")
  "The adapter, as a list of a program and its arguments."
  :type '(repeat string)
  :group 'gulo)

(defun gulo--configuration (conf)
  "Complete CONF: the adapter, and the file that is visited."
  (dolist (x `((:dap-server-path ,gulo-program) (:type "gulo") (:request "launch") (:program ,(buffer-file-name))
               (:name "gulo")))
    (unless (plist-get conf (car x))
      (setq conf (plist-put conf (car x) (cadr x)))))
  conf)

(dap-register-debug-provider "gulo" #'gulo--configuration)

(dap-register-debug-template
 "gulo: this file"
 (list :type "gulo" :request "launch" :name "gulo" :stopOnEntry t))

(defun gulo-command (line)
  "Execute LINE, a command of gulo's shell, in the session being debugged."
  (interactive "sgulo: ")
  (dap--send-message
   (dap--make-request "gulo/command" (list :line line))
   (lambda (answer)
     (if (gethash "success" answer)
         (message "%s" (gethash "text" (gethash "body" answer)))
       (message "gulo: %s" (gethash "message" answer))))
   (dap--cur-session-or-die)))

(provide 'gulo)
;;; gulo.el ends here
