;;; CRC-16 (ITU-T V.41, as in XMODEM; and as in ARC and Modbus, the bits of an octet the lowest first).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defun crc16-xmodem (data)
  (declare (type octets data))
  (let ((crc 0))
    (loop for octet across data
          do (setf crc (logxor crc (ash octet 8)))
             (dotimes (k 8)
               (setf crc (ash crc 1))
               (when (logbitp 16 crc)
                 (setf crc (logxor crc #x11021)))))
    crc))

(defun crc16-arc (data)
  (declare (type octets data))
  (let ((crc 0))
    (loop for octet across data
          do (setf crc (logxor crc octet))
             (loop repeat 8
                   do (setf crc (if (oddp crc)
                                    (logxor (ash crc -1) #xa001)
                                    (ash crc -1)))))
    crc))

(defun crc16-of-octet (octet)
  (declare (type (unsigned-byte 8) octet))
  (let ((crc (ash octet 8)))
    (dotimes (k 8 crc)
      (setf crc (ldb (byte 16 0) (logxor (ash crc 1) (if (logbitp 15 crc) #x1021 0)))))))

(defparameter *crcs*
  (coerce (loop for octet below 256 collect (crc16-of-octet octet)) '(simple-array (unsigned-byte 16) (*))))

(defun crc16-xmodem-by-table (data)
  (declare (type octets data))
  (let ((crc 0)
        (crcs *crcs*))
    (declare (type (simple-array (unsigned-byte 16) (*)) crcs))
    (dotimes (k (length data) crc)
      (setf crc (logxor (ldb (byte 16 0) (ash crc 8))
                        (aref crcs (logxor (ash crc -8) (aref data k))))))))
