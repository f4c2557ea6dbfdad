;;; MurmurHash3 (Appleby), 32 bits: (murmur3 octets seed).

(deftype octets () '(simple-array (unsigned-byte 8) (*)))
(deftype u32 () '(unsigned-byte 32))

(declaim (inline u32* rotate-left mixed))

(defun u32* (x y)
  (ldb (byte 32 0) (* x y)))

(defun rotate-left (x count)
  (declare (type u32 x) (type (integer 0 31) count))
  (ldb (byte 32 0) (logior (ash x count) (ash x (- count 32)))))

(defun mixed (k)
  (u32* (rotate-left (u32* k #xcc9e2d51) 15) #x1b873593))

(defun murmur3 (data seed)
  (declare (type octets data) (type u32 seed))
  (let ((h seed)
        (whole (logandc2 (length data) 3))
        (rest 0))
    (do ((at 0 (+ at 4)))
        ((= at whole))
      (let ((k (logior (aref data at) (ash (aref data (+ at 1)) 8)
                       (ash (aref data (+ at 2)) 16) (ash (aref data (+ at 3)) 24))))
        (setf h (logxor h (mixed k))
              h (ldb (byte 32 0) (+ (* 5 (rotate-left h 13)) #xe6546b64)))))
    (loop for at from (1- (length data)) downto whole
          do (setf rest (ldb (byte 32 0) (logior (ash rest 8) (aref data at)))))
    (setf h (logxor h (mixed rest) (ldb (byte 32 0) (length data))))
    (setf h (u32* (logxor h (ash h -16)) #x85ebca6b)
          h (u32* (logxor h (ash h -13)) #xc2b2ae35))
    (logxor h (ash h -16))))
