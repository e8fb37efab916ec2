/dev/fd/3: line 81: ../g: No such file or directory
