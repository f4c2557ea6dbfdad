;;; Adler-32 (RFC 1950): (adler32 octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defun adler32 (data)
  (declare (type octets data))
  (let ((a 1) (b 0))
    (declare (type (unsigned-byte 32) a b))
    ;; So many octets can be summed before b needs more than 32 bits.
    (loop for start from 0 below (length data) by 5552
          do (loop for k from start below (min (length data) (+ start 5552))
                   do (incf a (aref data k))
                      (incf b a))
             (setf a (mod a 65521)
                   b (mod b 65521)))
    (logior (ash b 16) a)))
