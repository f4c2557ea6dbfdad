;;; Fletcher's checksums (1982): (fletcher16 octets), and (fletcher32 octets) of pairs of octets, the
;;; low one first.

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defun fletcher16 (data)
  (declare (type octets data))
  (loop with low of-type (unsigned-byte 8) = 0
        and high of-type (unsigned-byte 8) = 0
        for octet across data
        do (setf low (mod (+ low octet) 255)
                 high (mod (+ high low) 255))
        finally (return (dpb high (byte 8 8) low))))

(defun fletcher32 (data)
  (declare (type octets data))
  (let ((low 0) (high 0) (size (length data)))
    (declare (type (unsigned-byte 16) low high))
    (loop for k from 0 below size by 2
          do (let ((pair (aref data k)))
               (when (< (1+ k) size)
                 (setf (ldb (byte 8 8) pair) (aref data (1+ k))))
               (setf low (mod (+ low pair) 65535)
                     high (mod (+ high low) 65535))))
    (dpb high (byte 16 16) low)))
