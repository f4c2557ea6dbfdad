;;; CRC-32 (ISO 3309, as in gzip): (crc32 octets).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defun crc-of-octet (octet)
  (dotimes (k 8 octet)
    (setf octet (logxor (ash octet -1) (if (oddp octet) #xedb88320 0)))))

(defparameter *crcs*
  (coerce (loop for octet below 256 collect (crc-of-octet octet))
          '(simple-array (unsigned-byte 32) (*))))

(defun crc32 (data)
  (declare (type octets data))
  (let ((crc #xffffffff)
        (crcs *crcs*))
    (declare (type (unsigned-byte 32) crc)
             (type (simple-array (unsigned-byte 32) (*)) crcs))
    (loop for octet across data
          do (setf crc (logxor (aref crcs (logxor (ldb (byte 8 0) crc) octet)) (ash crc -8))))
    (logxor crc #xffffffff)))

(defun crc32-bitwise (data)
  "The same without a table."
  (declare (type octets data))
  (let ((crc #xffffffff))
    (declare (type (unsigned-byte 32) crc))
    (loop for octet across data
          do (setf crc (logxor (crc-of-octet (logxor (ldb (byte 8 0) crc) octet)) (ash crc -8))))
    (logxor crc #xffffffff)))
