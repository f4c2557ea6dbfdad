;;; The examples of Dejneka, Rhodes: Efficient Hardware Arithmetic in Common Lisp (2004).

(defun add-a (x y)
  (+ x y))
(defun add-b (x y)
  (declare (type fixnum x y))
  (the fixnum (+ x y)))
(defun add-c (x y)
  (declare (type fixnum x y))
  (+ x y))
(defun add-d (x y)
  (declare (type (unsigned-byte 32) x y))
  (logand (+ x y) #xffffffff))
(defun add-e (x y)
  (declare (type (unsigned-byte 32) x y))
  (the (unsigned-byte 32) (+ x y)))

;; Section 3: a sum over a loop.
(defun sum-of-range (x y)
  (declare (type (unsigned-byte 32) x y))
  (ldb (byte 32 0) (loop for i of-type (unsigned-byte 32) from x to y summing i)))

;; Section 3: a rotation, by y where (y - z) mod 32 = 0.
(defun rotate-by-5 (x)
  (declare (type (unsigned-byte 32) x))
  (ldb (byte 32 0) (logior (ash x 5) (ash x -27))))
(defun rotate-by (x y)
  (declare (type (unsigned-byte 32) x) (type (integer 0 31) y))
  (ldb (byte 32 0) (logior (ash x y) (ash x (- y 32)))))

;; Section 3: arithmetic on signed words. Lisps without sldb are given it as a function.
#-carrychain
(defmacro sldb ((byte size position) integer)
  (declare (ignore byte))
  (let ((field (gensym)))
    `(let ((,field (ldb (byte ,size ,position) ,integer)))
       (if (logbitp (1- ,size) ,field) (- ,field (ash 1 ,size)) ,field))))

(defun add-signed (x y)
  (declare (type (signed-byte 32) x y))
  (sldb (byte 32 0) (+ x y)))
(defun sign-extended (x)
  "Footnote 5, said with dpb."
  (declare (type (unsigned-byte 32) x))
  (dpb x (byte 32 0) (- (ldb (byte 1 31) x))))
