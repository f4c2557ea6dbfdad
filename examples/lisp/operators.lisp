;;; Table 1 of Dejneka, Rhodes (2004): each operator at 8, 16, 32 and 64 bits, its low bits asked for
;;; by ldb, mod and logand: (add-ldb-8 x y), (logorc2-mod-64 x y) and so on. And each operation of
;;; boole: (boole-xor-32 x y), and (any-boole-32 operation x y).

(eval-when (:compile-toplevel :load-toplevel :execute)
  (defun name (&rest parts)
    (intern (reduce (lambda (a b) (concatenate 'string a "-" b))
                    (mapcar (lambda (part) (if (integerp part) (format nil "~d" part) (string part)))
                            parts)))))

(defmacro define-operators ()
  `(progn
     ,@(loop for bits in '(8 16 32 64)
             append
             (loop for (operator name arguments) in
                   '((+ add (x y)) (- sub (x y)) (* mul (x y)) (lognot lognot (x))
                     (logxor logxor (x y)) (logeqv logeqv (x y)) (lognand lognand (x y))
                     (lognor lognor (x y)) (logandc1 logandc1 (x y)) (logandc2 logandc2 (x y))
                     (logorc1 logorc1 (x y)) (logorc2 logorc2 (x y)) (logior logior (x y))
                     (logand logand (x y)))
                   for call = (cons operator arguments)
                   append
                   (loop for (way form) in `((ldb (ldb (byte ,bits 0) ,call))
                                             (mod (mod ,call ,(ash 1 bits)))
                                             (logand (logand ,call ,(1- (ash 1 bits)))))
                         collect `(defun ,(name name way bits) ,arguments
                                    (declare (type (unsigned-byte ,bits) ,@arguments))
                                    ,form))))))

(define-operators)

(defmacro define-booles ()
  `(progn
     ,@(loop for bits in '(8 16 32 64)
             append
             (loop for operation in '(clr set 1 2 c1 c2 and ior xor eqv nand nor andc1 andc2 orc1 orc2)
                   collect `(defun ,(name 'boole operation bits) (x y)
                              (declare (type (unsigned-byte ,bits) x y))
                              (ldb (byte ,bits 0) (boole ,(name 'boole operation) x y))))
             collect `(defun ,(name 'any-boole bits) (operation x y)
                        (declare (type (integer 0 15) operation) (type (unsigned-byte ,bits) x y))
                        (ldb (byte ,bits 0) (boole operation x y))))))

(define-booles)
