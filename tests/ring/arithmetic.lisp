;;; Small programs of integer arithmetic, each for itself, which SBCL judges (tests/python/ring_arithmetic.py).
;;; A function is called with the ends of its parameters' types, and with numbers near powers of two.

;;; Masks: where they are, and what they may look through

(defun carry-of-a-word (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((sum (+ x y)))
    (values (ldb (byte 64 0) sum) (ash sum -64))))

(defun borrow-of-a-word (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((difference (- x y)))
    (values (ldb (byte 64 0) difference) (logand 1 (ash difference -64)) (if (minusp difference) 1 0))))

(defun carry-by-comparison (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((sum (ldb (byte 64 0) (+ x y))))
    (values sum (if (< sum x) 1 0))))

(defun product-of-words (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((product (* x y)))
    (values (ldb (byte 64 64) product) (ldb (byte 64 0) product))))

(defun product-of-signed-words (x y)
  (declare (type (signed-byte 64) x y))
  (let ((product (* x y)))
    (values (ash product -64) (ldb (byte 64 0) product))))

(defun product-by-halves (x y)
  (declare (type (unsigned-byte 64) x y))
  (let* ((x0 (ldb (byte 32 0) x)) (x1 (ldb (byte 32 32) x))
         (y0 (ldb (byte 32 0) y)) (y1 (ldb (byte 32 32) y))
         (low (* x0 y0))
         (middle (+ (* x1 y0) (ash low -32)))
         (other (+ (* x0 y1) (ldb (byte 32 0) middle))))
    (values (+ (* x1 y1) (ash middle -32) (ash other -32))
            (logior (ash (ldb (byte 32 0) other) 32) (ldb (byte 32 0) low)))))

(defun narrow-within-wide (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 16 0) (* 3 (ldb (byte 32 0) (+ x (ldb (byte 48 0) (* x y)))))))

(defun wide-within-narrow (x y)
  (declare (type (unsigned-byte 32) x y))
  (ldb (byte 64 0) (* #x9e3779b97f4a7c15 (ldb (byte 8 0) (- x y)))))

(defun two-masks-of-one-sum (x y)
  (declare (type (signed-byte 64) x y))
  (let ((sum (+ x y)))
    (values (logand #xff sum) (logand #xffff sum) (ldb (byte 8 56) sum))))

(defun masked-and-compared (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((product (* x y)))
    (if (> product #xffffffff) (ldb (byte 32 0) product) (- (ldb (byte 32 0) (- product)) 1))))

(defun mask-with-a-hole (x y)
  (declare (type (unsigned-byte 64) x y))
  (logand #xff0000ff (- x y)))

(defun mask-below-zero (x y)
  (declare (type (signed-byte 32) x y))
  (logand -256 (+ x y)))

(defun mask-of-a-mask-below-zero (x y)
  (declare (type (signed-byte 32) x y))
  (logand #xffff (logand -16 (* x y))))

(defun cleared-low-bits (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 64 0) (logandc2 (* x y) 63)))

(defun cleared-by-shifts (x k)
  (declare (type (unsigned-byte 64) x) (type (integer 0 63) k))
  (ash (ash x (- k)) k))

(defun mask-of-variable-size (x y k)
  (declare (type (unsigned-byte 64) x y) (type (integer 0 64) k))
  (ldb (byte k 0) (+ x y)))

(defun mask-made-of-a-power (x y k)
  (declare (type (unsigned-byte 32) x y) (type (integer 0 32) k))
  (logand (* x y) (1- (ash 1 k))))

(defun mod-of-a-variable-power (x k)
  (declare (type (signed-byte 64) x) (type (integer 0 62) k))
  (mod x (ash 1 k)))

(defun rem-of-a-variable-power (x k)
  (declare (type (signed-byte 64) x) (type (integer 0 62) k))
  (rem x (ash 1 k)))

(defun mod-of-a-negation (x)
  (declare (type (unsigned-byte 8) x))
  (mod (- x) 256))

(defun rem-of-a-negation (x)
  (declare (type (unsigned-byte 8) x))
  (rem (- x) 256))

(defun field-of-a-difference (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 13 51) (- x y)))

(defun field-beyond-the-word (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 16 56) (+ x y)))

(defun field-of-what-is-below-zero (x)
  (declare (type (signed-byte 16) x))
  (values (ldb (byte 16 8) x) (ldb (byte 64 64) x) (mask-field (byte 8 60) x)))

(defun fields-swapped (x)
  (declare (type (unsigned-byte 32) x))
  (dpb (ldb (byte 16 16) x) (byte 16 0) (ash (ldb (byte 16 0) x) 16)))

(defun deposited-twice (x y)
  (declare (type (signed-byte 64) x y))
  (dpb y (byte 8 4) (dpb (- y) (byte 8 8) x)))

(defun deposited-in-zero (x k)
  (declare (type (unsigned-byte 32) x) (type (integer 0 31) k))
  (ldb (byte 32 0) (dpb x (byte 32 k) 0)))

(defun field-set-in-place (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((z x))
    (declare (type (unsigned-byte 32) z))
    (setf (ldb (byte 8 8) z) y)
    (incf (ldb (byte 8 16) z) y)
    (setf (mask-field (byte 4 0) z) (lognot y))
    z))

(defun fixnum-mask (x y)
  (declare (type fixnum x y))
  (logand most-positive-fixnum (* x y)))

(defun fixnum-hash (x y)
  (declare (type (unsigned-byte 62) x y))
  (logand most-positive-fixnum (+ (* 31 x) (logxor y (ash x -7)))))

(defun sum-of-two-words-in-a-fixnum (x y)
  (declare (type (unsigned-byte 64) x y))
  (logand most-positive-fixnum (+ x y)))

(defun sum-of-many (a b c d)
  (declare (type (unsigned-byte 32) a b c d))
  (ldb (byte 32 0) (+ a b c d #x5a827999 (* a b c d))))

(defun difference-of-many (a b c d)
  (declare (type (unsigned-byte 16) a b c d))
  (ldb (byte 16 0) (- a b c d)))

(defun logic-of-many (a b c d)
  (declare (type (unsigned-byte 32) a b c d))
  (values (logxor a b c d) (logeqv a b c d) (logior a (lognot b) c) (logand a (lognot b) (- c))))

(defun equivalence-of-three (a b c)
  (declare (type (signed-byte 32) a b c))
  (logeqv a b c))

(defun complement-of-a-word (x)
  (declare (type (unsigned-byte 64) x))
  (values (lognot x) (ldb (byte 64 0) (lognot x)) (logxor x #xffffffffffffffff)))

(defun two-complements (x y)
  (declare (type (unsigned-byte 32) x y))
  (ldb (byte 32 0) (lognot (+ (lognot x) y))))

(defun negation-by-complement (x)
  (declare (type (unsigned-byte 64) x))
  (ldb (byte 64 0) (1+ (lognot x))))

(defun masked-sum-below-zero (x)
  (declare (type (unsigned-byte 32) x))
  (logand #xffffffff (+ x -1)))

(defun masked-product-with-a-negative (x)
  (declare (type (unsigned-byte 64) x))
  (ldb (byte 64 0) (* x -3)))

(defun big-literal-masked (x)
  (declare (type (unsigned-byte 32) x))
  (ldb (byte 32 0) (* x #x123456789abcdef0123456789abcdef01)))

(defun any-integer-masked (x y)
  (declare (type integer x y))
  (ldb (byte 32 0) (+ (* x y) (ash x 5))))

(defun nothing-declared (x y)
  (logxor (* x x) (- y) (ash y -3)))

(defun mask-of-sixty-five (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 65 0) (+ (ash x 1) y 1)))

(defun mask-of-a-hundred-and-twenty-eight (x y)
  (declare (type (unsigned-byte 128) x y))
  (ldb (byte 128 0) (* x y)))

(defun mod-and-not-a-mask (x y)
  (declare (type (unsigned-byte 32) x y))
  (mod (+ x y) 4294967291))

(defun mod-of-a-product (x y)
  (declare (type (unsigned-byte 32) x y))
  (mod (* x y) 4294967291))

(defun mod-of-a-long-product (x y m)
  (declare (type (unsigned-byte 64) x y) (type (integer 1 18446744073709551615) m))
  (mod (* x y) m))

(defun mod-of-a-signed-sum (x y)
  (declare (type (signed-byte 32) x y))
  (values (mod (+ x y) 10) (rem (+ x y) 10) (mod (+ x y) -10)))

;;; Signs

(defun sign-extended-by-a-comparison (x)
  (declare (type (unsigned-byte 32) x))
  (if (>= x #x80000000) (- x #x100000000) x))

(defun sign-extended-by-xor (x)
  (declare (type (unsigned-byte 16) x))
  (- (logxor x #x8000) #x8000))

(defun sign-extended-by-two-masks (x)
  (declare (type (unsigned-byte 8) x))
  (- (logand x #x7f) (logand x #x80)))

(defun sign-extended-by-or (x)
  (declare (type (unsigned-byte 8) x))
  (if (logbitp 7 x) (logior x -256) x))

(defun sign-extended-sum (x y)
  (declare (type (signed-byte 64) x y))
  (let ((sum (ldb (byte 64 0) (+ x y))))
    (- sum (ash (ldb (byte 1 63) sum) 64))))

(defun sign-extended-product (x y)
  (declare (type (signed-byte 32) x y))
  (- (mod (+ (* x y) #x80000000) #x100000000) #x80000000))

(defun sign-extended-field (x)
  (declare (type (unsigned-byte 32) x))
  (- (logxor (ldb (byte 12 20) x) #x800) #x800))

(defun sign-in-every-bit (x)
  (declare (type (signed-byte 64) x))
  (ash x -63))

(defun absolute-by-sign (x)
  (declare (type (signed-byte 64) x))
  (let ((sign (ash x -63)))
    (- (logxor x sign) sign)))

(defun least-by-sign (x y)
  (declare (type (signed-byte 32) x y))
  (+ y (logand (- x y) (ash (- x y) -63))))

(defun logic-of-signs (x y)
  (declare (type (signed-byte 64) x y))
  (values (logand x y) (logior x y) (logxor x y) (lognot x) (logandc1 x y) (logorc2 x y)))

(defun overflow-of-a-sum (x y)
  (declare (type (signed-byte 32) x y))
  (let* ((sum (+ x y)) (low (- (logxor (ldb (byte 32 0) sum) #x80000000) #x80000000)))
    (values low (/= sum low))))

(defun overflow-by-logic (x y)
  (declare (type (signed-byte 32) x y))
  (let ((sum (+ x y)))
    (logbitp 31 (logand (logxor x sum) (logxor y sum)))))

(defun saturated-sum (x y)
  (declare (type (signed-byte 16) x y))
  (max -32768 (min 32767 (+ x y))))

(defun saturated-difference (x y)
  (declare (type (unsigned-byte 64) x y))
  (max 0 (- x y)))

(defun mean-without-overflow (x y)
  (declare (type (unsigned-byte 64) x y))
  (+ (logand x y) (ash (logxor x y) -1)))

(defun mean-rounded-up (x y)
  (declare (type (signed-byte 64) x y))
  (- (logior x y) (ash (logxor x y) -1)))

(defun most-negative-negated (x)
  (declare (type (signed-byte 64) x))
  (values (- x) (abs x) (truncate x -1) (- (1+ x))))

(defun most-negative-fixnum-divided (x y)
  (declare (type fixnum x) (type (integer -2 2) y))
  (if (zerop y) 0 (truncate x y)))

;;; Shifts

(defun shift-by-any-count (x k)
  (declare (type (signed-byte 64) x) (type (signed-byte 8) k))
  (ash x k))

(defun shift-by-any-count-masked (x k)
  (declare (type (signed-byte 64) x) (type (signed-byte 8) k))
  (ldb (byte 64 0) (ash x k)))

(defun shift-beyond-the-word (x)
  (declare (type (signed-byte 64) x))
  (values (ash x -63) (ash x -64) (ash x -65) (ash x -1000) (ldb (byte 64 0) (ash x 64))))

(defun shift-of-one (k)
  (declare (type (integer 0 130) k))
  (ash 1 k))

(defun shift-of-minus-one (k)
  (declare (type (integer 0 63) k))
  (ldb (byte 64 0) (ash -1 k)))

(defun shift-there-and-back (x k)
  (declare (type (unsigned-byte 64) x) (type (integer 0 64) k))
  (ash (ldb (byte 64 0) (ash x k)) (- k)))

(defun shift-of-a-shift (x j k)
  (declare (type (unsigned-byte 32) x) (type (integer -40 40) j k))
  (ash (ash x j) k))

(defun rotated-left (x k)
  (declare (type (unsigned-byte 32) x) (type (integer 0 31) k))
  (logior (ldb (byte 32 0) (ash x k)) (ash x (- k 32))))

(defun rotated-right (x k)
  (declare (type (unsigned-byte 64) x) (type (mod 64) k))
  (logior (ash x (- k)) (ldb (byte 64 0) (ash x (- 64 k)))))

(defun rotated-by-a-masked-count (x k)
  (declare (type (unsigned-byte 32) x k))
  (let ((k (logand k 31)))
    (ldb (byte 32 0) (logior (ash x k) (ash x (- (logand (- k) 31)))))))

(defun rotated-sum (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((sum (ldb (byte 32 0) (+ x y))))
    (logxor y (logior (ldb (byte 32 0) (ash sum 7)) (ash sum -25)))))

(defun rotated-field (x k)
  (declare (type (signed-byte 64) x) (type (integer -40 40) k))
  (rotate-byte k (byte 13 5) x))

(defun shift-right-with-rounding (x k)
  (declare (type (signed-byte 64) x) (type (integer 1 63) k))
  (ash (+ x (ash 1 (1- k))) (- k)))

(defun funnel-shift (high low k)
  (declare (type (unsigned-byte 64) high low) (type (integer 0 63) k))
  (ldb (byte 64 0) (ash (logior (ash high 64) low) (- k))))

;;; Division

(defun quotients-of-every-kind (x y)
  (declare (type (signed-byte 32) x y))
  (values (floor x y) (ceiling x y) (truncate x y) (round x y)))

(defun remainders-of-every-kind (x y)
  (declare (type (signed-byte 64) x y))
  (values (nth-value 1 (floor x y)) (nth-value 1 (ceiling x y)) (rem x y) (nth-value 1 (round x y))))

(defun quotient-by-a-constant (x)
  (declare (type (unsigned-byte 64) x))
  (values (floor x 10) (floor x 7) (floor x 641) (truncate x 18446744073709551615)))

(defun signed-quotient-by-a-constant (x)
  (declare (type (signed-byte 64) x))
  (values (floor x 10) (truncate x 10) (ceiling x -7) (truncate x -1000000007)))

(defun quotient-by-a-power (x)
  (declare (type (signed-byte 64) x))
  (values (floor x 256) (truncate x 256) (ceiling x 256) (round x 256)))

(defun quotient-masked (x y)
  (declare (type (unsigned-byte 64) x) (type (integer 1 255) y))
  (ldb (byte 8 0) (truncate (* x 5) y)))

(defun quotient-of-two-words (high low y)
  (declare (type (unsigned-byte 64) high low) (type (integer 1 18446744073709551615) y))
  (truncate (logior (ash high 64) low) y))

(defun quotient-and-remainder-put-together (x y)
  (declare (type (signed-byte 128) x) (type (signed-byte 64) y))
  (if (zerop y) 0
      (multiple-value-bind (q r) (floor x y) (- x (+ (* q y) r)))))

(defun rounded-half (x)
  (declare (type (signed-byte 32) x))
  (round x 2))

(defun quotient-of-a-long-by-a-long (x y)
  (declare (type integer x y))
  (if (zerop y) (values x y) (truncate x y)))

(defun reciprocal (x)
  (declare (type (integer 1 4294967295) x))
  (values (floor (1- (ash 1 64)) x)))

(defun exact-quotient (x)
  (declare (type (unsigned-byte 32) x))
  (ldb (byte 32 0) (* (* 3 x) #xaaaaaaab)))

;;; Declarations, promises, types

(defun promise-of-a-word (x y)
  (declare (type (unsigned-byte 32) x y))
  (the (unsigned-byte 32) (+ x y)))

(defun promise-of-a-signed-word (x y)
  (declare (type (signed-byte 64) x y))
  (the (signed-byte 64) (* x y)))

(defun promise-of-a-fixnum (x y)
  (declare (type fixnum x y))
  (the fixnum (+ x y)))

(defun promise-within-a-mask (x y)
  (declare (type (unsigned-byte 32) x y))
  (ldb (byte 8 0) (the (unsigned-byte 33) (+ x y))))

(defun promise-that-masks-nothing (x y)
  (declare (type (signed-byte 16) x y))
  (ldb (byte 16 0) (the (integer -1000 1000) (- x y))))

(defun promise-of-two-values (x y)
  (declare (type (signed-byte 16) x) (type (integer 1 100) y))
  (the (values (integer -400 400) (mod 100)) (floor x y)))

(defun range-across-zero (x y)
  (declare (type (integer -5 300) x) (type (integer -300 5) y))
  (values (+ x y) (* x y) (logand x y) (logxor x y) (- x y)))

(defun range-with-ends-left-out (x)
  (declare (type (integer (0) (10)) x))
  (ash 1 x))

(defun range-far-from-zero (x y)
  (declare (type (integer 18446744073709551616 18446744073709551871) x)
           (type (integer -18446744073709551871 -18446744073709551616) y))
  (values (+ x y) (logxor x y) (ldb (byte 8 0) (* x y))))

(defun range-without-an-end (x y)
  (declare (type (integer 0) x) (type (integer * -1) y))
  (values (logand x 255) (logior y -256) (ldb (byte 16 0) (+ x y))))

(defun all-but-zero (x y)
  (declare (type (unsigned-byte 32) x) (type (and (signed-byte 32) (not (eql 0))) y))
  (floor x y))

(defun exactly-one (x)
  (declare (type (eql 5) x))
  (ash 1 x))

(defun typed-by-a-test (x)
  (declare (type integer x))
  (if (typep x '(unsigned-byte 32)) (ldb (byte 32 0) (* x x)) (ldb (byte 32 0) (- x))))

(defun typed-by-cases (x)
  (declare (type integer x))
  (typecase x
    ((integer 0 255) (* x 256))
    ((signed-byte 64) (ash x -3))
    (t -1)))

(defun typed-by-a-comparison (x)
  (declare (type integer x))
  (if (<= 0 x 65535) (* x x) 0))

(defun checked-by-check-type (x)
  (declare (type integer x))
  (check-type x (signed-byte 64))
  (logxor x (ash x -1)))

(defun bits-and-booleans (x y)
  (declare (type bit x y))
  (values (logxor x y) (- 1 x) (= x y) (if (zerop (logand x y)) 1 0)))

;;; Other operators

(defun counted-bits (x)
  (declare (type (signed-byte 64) x))
  (values (logcount x) (integer-length x) (logcount (ldb (byte 64 0) x)) (logcount (lognot x))))

(defun counted-bits-by-halves (x)
  (declare (type (unsigned-byte 32) x))
  (let* ((x (- x (logand (ash x -1) #x55555555)))
         (x (+ (logand x #x33333333) (logand (ash x -2) #x33333333)))
         (x (logand (+ x (ash x -4)) #x0f0f0f0f)))
    (ash (ldb (byte 32 0) (* x #x01010101)) -24)))

(defun leading-zeros (x)
  (declare (type (unsigned-byte 64) x))
  (- 64 (integer-length x)))

(defun trailing-zeros (x)
  (declare (type (unsigned-byte 64) x))
  (1- (integer-length (logand x (- x)))))

(defun lowest-bit (x)
  (declare (type (unsigned-byte 64) x))
  (values (logand x (- x)) (logand x (1- x)) (logxor x (1- x)) (ldb (byte 64 0) (logior x (- x)))))

(defun next-power-of-two (x)
  (declare (type (unsigned-byte 32) x))
  (ash 1 (integer-length (max 0 (1- x)))))

(defun next-of-as-many-bits (x)
  (declare (type (integer 1 4294967295) x))
  (let* ((low (logand x (- x))) (carried (+ x low)))
    (logior carried (ash (floor (logxor x carried) low) -2))))

(defun gray-code (x)
  (declare (type (unsigned-byte 64) x))
  (logxor x (ash x -1)))

(defun gray-code-undone (x)
  (declare (type (unsigned-byte 64) x))
  (let* ((x (logxor x (ash x -1))) (x (logxor x (ash x -2))) (x (logxor x (ash x -4)))
         (x (logxor x (ash x -8))) (x (logxor x (ash x -16))))
    (logxor x (ash x -32))))

(defun reversed-bits (x)
  (declare (type (unsigned-byte 32) x))
  (flet ((swap (x mask by)
           (declare (type (unsigned-byte 32) x))
           (logior (ash (logand x mask) by) (logand (ash x (- by)) mask))))
    (swap (swap (swap (swap (swap x #x55555555 1) #x33333333 2) #x0f0f0f0f 4) #x00ff00ff 8) #x0000ffff 16)))

(defun reversed-octets (x)
  (declare (type (unsigned-byte 64) x))
  (let ((result 0))
    (declare (type (unsigned-byte 64) result))
    (dotimes (i 8 result)
      (setf (ldb (byte 8 (* 8 (- 7 i))) result) (ldb (byte 8 (* 8 i)) x)))))

(defun interleaved-bits (x y)
  (declare (type (unsigned-byte 16) x y))
  (flet ((spread (x)
           (declare (type (unsigned-byte 32) x))
           (let* ((x (logand (logior x (ash x 8)) #x00ff00ff))
                  (x (logand (logior x (ash x 4)) #x0f0f0f0f))
                  (x (logand (logior x (ash x 2)) #x33333333)))
             (logand (logior x (ash x 1)) #x55555555))))
    (logior (spread x) (ash (spread y) 1))))

(defun octets-with-a-zero (x)
  (declare (type (unsigned-byte 64) x))
  (logand (ldb (byte 64 0) (- x #x0101010101010101)) (lognot x) #x8080808080808080))

(defun sum-of-octets-in-parallel (x y)
  (declare (type (unsigned-byte 64) x y))
  (logxor (+ (logand x #x7f7f7f7f7f7f7f7f) (logand y #x7f7f7f7f7f7f7f7f))
          (logand (logxor x y) #x8080808080808080)))

(defun conditional-swap (x y c)
  (declare (type (unsigned-byte 64) x y) (type bit c))
  (let ((mask (logand (- c) (logxor x y))))
    (values (logxor x mask) (logxor y mask))))

(defun chosen-by-a-mask (x y c)
  (declare (type (signed-byte 32) x y c))
  (let ((mask (ash c -31)))
    (logior (logand mask x) (logandc1 mask y))))

(defun any-of-sixteen (number x y)
  (declare (type (mod 16) number) (type (unsigned-byte 32) x y))
  (ldb (byte 32 0) (boole number x y)))

(defun powers (x k)
  (declare (type (signed-byte 32) x) (type (integer 0 9) k))
  (values (expt x k) (ldb (byte 32 0) (expt x k)) (expt 2 k) (expt -1 k)))

(defun roots (x)
  (declare (type (unsigned-byte 64) x))
  (let ((root (isqrt x)))
    (values root (- x (* root root)))))

(defun divisors (x y)
  (declare (type (signed-byte 64) x y))
  (values (gcd x y) (gcd x) (gcd) (gcd x y 720720)))

(defun multiples (x y)
  (declare (type (signed-byte 32) x y))
  (lcm x y))

(defun extremes (a b c)
  (declare (type (signed-byte 64) a b c))
  (values (max a b c) (min a b c) (max a (min b c)) (- (max a b) (min a b))))

(defun comparisons-of-many (a b c)
  (declare (type (signed-byte 8) a b c))
  (values (< a b c) (<= a b c) (= a b c) (/= a b c) (> a 0 c)))

(defun median (a b c)
  (declare (type (signed-byte 64) a b c))
  (max (min a b) (min (max a b) c)))

(defun bits-tested (x k)
  (declare (type (signed-byte 64) x) (type (integer 0 100) k))
  (values (logbitp k x) (logbitp 63 x) (logbitp 64 x) (oddp (ash x (- k))) (logtest x (ash 1 k))))

(defun bit-set-and-cleared (x k)
  (declare (type (unsigned-byte 64) x) (type (mod 64) k))
  (values (logior x (ash 1 k)) (logandc2 x (ash 1 k)) (logxor x (ash 1 k))))

;;; Loops

(defun sum-of-squares (n)
  (declare (type (integer 0 100) n))
  (loop for i from 1 to n sum (* i i)))

(defun sum-of-cubes-masked (n)
  (declare (type (integer 0 200) n))
  (let ((sum 0))
    (declare (type (unsigned-byte 16) sum))
    (dotimes (i n sum)
      (setf sum (ldb (byte 16 0) (+ sum (* i i i)))))))

(defun factorial (n)
  (declare (type (integer 0 40) n))
  (let ((product 1))
    (loop for i from 2 to n do (setf product (* product i)))
    product))

(defun factorial-masked (n)
  (declare (type (integer 0 100) n))
  (let ((product 1))
    (do ((i 1 (1+ i))) ((> i n) product)
      (setf product (ldb (byte 64 0) (* product i))))))

(defun fibonacci (n)
  (declare (type (integer 0 300) n))
  (let ((a 0) (b 1))
    (dotimes (i n a) (psetf a b b (+ a b)))))

(defun fibonacci-masked (n)
  (declare (type (integer 0 300) n))
  (let ((a 0) (b 1))
    (declare (type (unsigned-byte 32) a b))
    (dotimes (i n a) (psetf a b b (ldb (byte 32 0) (+ a b))))))

(defun power-mod (x k m)
  (declare (type (unsigned-byte 32) x k) (type (integer 1 4294967295) m))
  (let ((result (mod 1 m)) (x (mod x m)))
    (loop while (plusp k)
          do (when (oddp k) (setf result (mod (* result x) m)))
             (setf x (mod (* x x) m) k (ash k -1)))
    result))

(defun power-of-a-word (x k)
  (declare (type (unsigned-byte 64) x) (type (unsigned-byte 16) k))
  (let ((result 1) (y x) (n k))
    (declare (type (unsigned-byte 64) result y) (type (unsigned-byte 16) n))
    (loop until (zerop n)
          do (when (logbitp 0 n) (setf result (ldb (byte 64 0) (* result y))))
             (setf y (ldb (byte 64 0) (* y y)) n (ash n -1)))
    result))

(defun inverse-of-an-odd-word (x)
  (declare (type (unsigned-byte 64) x))
  (let ((inverse x))
    (declare (type (unsigned-byte 64) inverse))
    (dotimes (i 5 inverse)
      (setf inverse (ldb (byte 64 0) (* inverse (- 2 (* x inverse))))))))

(defun divisor-by-subtraction (x y)
  (declare (type (integer 1 1000) x y))
  (loop until (= x y) do (if (> x y) (decf x y) (decf y x)))
  x)

(defun divisor-by-bits (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((u x) (v y) (k 0))
    (declare (type (unsigned-byte 64) u v) (type (integer 0 64) k))
    (if (or (zerop u) (zerop v))
        (logior u v)
        (progn
          (loop while (and (evenp u) (evenp v)) do (setf u (ash u -1) v (ash v -1) k (1+ k)))
          (loop until (zerop u)
                do (loop while (evenp u) do (setf u (ash u -1)))
                   (loop while (evenp v) do (setf v (ash v -1)))
                   (if (>= u v) (setf u (ash (- u v) -1)) (setf v (ash (- v u) -1))))
          (ash v k)))))

(defun extended-divisor (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((a x) (b y) (s 1) (next 0))
    (declare (type (unsigned-byte 32) a b))
    (loop until (zerop b)
          do (multiple-value-bind (q r) (truncate a b)
               (psetf a b b r s next next (- s (* q next)))))
    (values a s)))

(defun root-by-newton (x)
  (declare (type (unsigned-byte 64) x))
  (if (< x 2)
      x
      (let ((root (ash 1 (ceiling (integer-length x) 2))))
        (loop (let ((next (ash (+ root (floor x root)) -1)))
                (when (>= next root) (return root))
                (setf root next))))))

(defun root-by-bits (x)
  (declare (type (unsigned-byte 32) x))
  (let ((root 0) (left x))
    (declare (type (unsigned-byte 32) root left))
    (loop for bit of-type (unsigned-byte 32) = (ash 1 30) then (ash bit -2)
          until (zerop bit)
          do (cond ((>= left (+ root bit))
                    (decf left (+ root bit))
                    (setf root (+ (ash root -1) bit)))
                   (t (setf root (ash root -1)))))
    root))

(defun quotient-by-bits (x y)
  (declare (type (unsigned-byte 32) x) (type (integer 1 4294967295) y))
  (let ((quotient 0) (rest 0))
    (declare (type (unsigned-byte 32) quotient) (type (unsigned-byte 33) rest))
    (loop for i from 31 downto 0
          do (setf rest (logior (ash rest 1) (ldb (byte 1 i) x)))
             (when (>= rest y)
               (decf rest y)
               (setf quotient (logior quotient (ash 1 i)))))
    (values quotient rest)))

(defun product-by-bits (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((sum 0))
    (declare (type (unsigned-byte 64) sum))
    (dotimes (i 32 sum)
      (when (logbitp i y) (incf sum (ash x i))))))

(defun product-without-carries (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((sum 0))
    (declare (type (unsigned-byte 64) sum))
    (dotimes (i 32 sum)
      (setf sum (logxor sum (logand (- (ldb (byte 1 i) y)) (ash x i)))))))

(defun product-in-a-field-of-256 (x y)
  (declare (type (unsigned-byte 8) x y))
  (let ((a x) (b y) (product 0))
    (declare (type (unsigned-byte 8) a b product))
    (loop repeat 8
          do (when (logbitp 0 b) (setf product (logxor product a)))
             (setf a (logxor (ldb (byte 8 0) (ash a 1)) (if (logbitp 7 a) #x1b 0))
                   b (ash b -1)))
    product))

(defun crc-of-an-octet (crc octet)
  (declare (type (unsigned-byte 32) crc) (type (unsigned-byte 8) octet))
  (let ((crc (logxor crc octet)))
    (declare (type (unsigned-byte 32) crc))
    (dotimes (i 8 crc)
      (setf crc (logxor (ash crc -1) (logand #xedb88320 (- (logand crc 1))))))))

(defun crc-from-the-left (crc octet)
  (declare (type (unsigned-byte 16) crc) (type (unsigned-byte 8) octet))
  (let ((crc (logxor crc (ash octet 8))))
    (loop repeat 8
          do (setf crc (if (logbitp 15 crc)
                           (ldb (byte 16 0) (logxor (ash crc 1) #x1021))
                           (ldb (byte 16 0) (ash crc 1)))))
    crc))

(defun parity (x)
  (declare (type (unsigned-byte 64) x))
  (let ((parity 0))
    (loop until (zerop x) do (setf parity (logxor parity 1) x (logand x (1- x))))
    parity))

(defun collatz-steps (x)
  (declare (type (integer 1 1000) x))
  (let ((steps 0))
    (loop until (= x 1)
          do (setf x (if (evenp x) (ash x -1) (1+ (* 3 x))))
             (incf steps))
    steps))

(defun digits-summed (x)
  (declare (type (unsigned-byte 64) x))
  (let ((sum 0))
    (loop until (zerop x)
          do (multiple-value-bind (q r) (floor x 10) (incf sum r) (setf x q)))
    sum))

(defun digits-reversed (x)
  (declare (type (unsigned-byte 32) x))
  (let ((result 0))
    (loop while (> x 0)
          do (setf result (+ (* 10 result) (mod x 10)) x (floor x 10)))
    result))

(defun decimal-as-nibbles (x)
  (declare (type (integer 0 99999999) x))
  (let ((result 0) (rest x))
    (declare (type (unsigned-byte 32) result rest))
    (dotimes (i 8 result)
      (multiple-value-bind (q r) (truncate rest 10)
        (setf result (logior result (ash r (* 4 i))) rest q)))))

(defun luhn-sum (x)
  (declare (type (integer 0 9999999999999999) x))
  (let ((sum 0) (rest x))
    (loop for double = nil then (not double)
          until (zerop rest)
          do (multiple-value-bind (q r) (floor rest 10)
               (incf sum (if double (if (> r 4) (- (* 2 r) 9) (* 2 r)) r))
               (setf rest q)))
    (mod sum 10)))

(defun checksum-folded (x)
  (declare (type (unsigned-byte 64) x))
  (let ((sum 0))
    (declare (type (unsigned-byte 32) sum))
    (dotimes (i 4) (incf sum (ldb (byte 16 (* 16 i)) x)))
    (loop until (< sum #x10000) do (setf sum (+ (ldb (byte 16 0) sum) (ash sum -16))))
    (logxor sum #xffff)))

(defun countdown-by-three (n)
  (declare (type (integer 0 1000) n))
  (loop for i downfrom n above 0 by 3 sum i))

(defun counted-until-equal (n)
  (declare (type (integer 0 1000) n))
  (do ((i 0 (1+ i)) (sum 0 (logxor sum (* i i)))) ((= i n) sum)))

(defun counted-until-different (n)
  (declare (type (integer 0 255) n))
  (let ((i 0))
    (loop while (/= i n) do (setf i (ldb (byte 8 0) (+ i 17))))
    i))

(defun nested-loops (n)
  (declare (type (integer 0 12) n))
  (let ((sum 0))
    (dotimes (i n sum)
      (dotimes (j i)
        (loop for k from j to i do (incf sum (* i j k)))))))

(defun nested-loops-masked (n x)
  (declare (type (integer 0 12) n) (type (unsigned-byte 32) x))
  (let ((state x))
    (declare (type (unsigned-byte 32) state))
    (dotimes (i n state)
      (do ((j 10 (- j 2))) ((= j 0))
        (setf state (ldb (byte 32 0) (+ (* state 1664525) (logxor i j))))))))

(defun table-of-squares (n x)
  (declare (type (integer 1 20) n) (type (unsigned-byte 32) x))
  (let ((table (make-array 20 :element-type '(unsigned-byte 32) :initial-element 0)))
    (dotimes (i n) (setf (aref table i) (ldb (byte 32 0) (* x i i))))
    (loop for each across table sum each)))

(defun polynomial (x)
  (declare (type (signed-byte 16) x))
  (+ 1 (* x (+ -2 (* x (+ 3 (* x (- 4 x))))))))

(defun polynomial-masked (x)
  (declare (type (unsigned-byte 64) x))
  (ldb (byte 32 0) (+ 1 (* x (- (* x (+ 3 (* x (- 4 x)))) 2)))))

;;; What is computed with words in earnest

(defun mixed-of-32-bits (x)
  (declare (type (unsigned-byte 32) x))
  (let* ((x (logxor x (ash x -16))) (x (ldb (byte 32 0) (* x #x85ebca6b)))
         (x (logxor x (ash x -13))) (x (ldb (byte 32 0) (* x #xc2b2ae35))))
    (logxor x (ash x -16))))

(defun mixed-of-64-bits (x)
  (declare (type (unsigned-byte 64) x))
  (let* ((x (ldb (byte 64 0) (+ x #x9e3779b97f4a7c15)))
         (x (ldb (byte 64 0) (* (logxor x (ash x -30)) #xbf58476d1ce4e5b9)))
         (x (ldb (byte 64 0) (* (logxor x (ash x -27)) #x94d049bb133111eb))))
    (logxor x (ash x -31))))

(defun mixed-by-one-mask-at-the-end (x)
  (declare (type (unsigned-byte 32) x))
  (ldb (byte 32 0) (* (+ (* (logxor x #xdeadbeef) 31) (ash x 7)) (- x 5))))

(defun hash-of-octets (x)
  (declare (type (unsigned-byte 64) x))
  (let ((hash #xcbf29ce484222325))
    (declare (type (unsigned-byte 64) hash))
    (dotimes (i 8 hash)
      (setf hash (ldb (byte 64 0) (* #x100000001b3 (logxor hash (ldb (byte 8 (* 8 i)) x))))))))

(defun hash-by-33 (x)
  (declare (type (unsigned-byte 64) x))
  (let ((hash 5381))
    (dotimes (i 8 hash)
      (setf hash (logand #xffffffff (+ (ash hash 5) hash (ldb (byte 8 (* 8 i)) x)))))))

(defun congruential (x n)
  (declare (type (unsigned-byte 64) x) (type (integer 0 20) n))
  (let ((state x))
    (dotimes (i n (ash state -33))
      (setf state (mod (+ (* state 6364136223846793005) 1442695040888963407) (expt 2 64))))))

(defun minimal-standard (x)
  (declare (type (integer 1 2147483646) x))
  (let* ((high (truncate x 127773)) (low (rem x 127773))
         (next (- (* 16807 low) (* 2836 high))))
    (if (plusp next) next (+ next 2147483647))))

(defun multiply-with-carry (x)
  (declare (type (unsigned-byte 64) x))
  (+ (* 4294957665 (ldb (byte 32 0) x)) (ash x -32)))

(defun xorshift-twice (x)
  (declare (type (unsigned-byte 64) x))
  (flet ((next (x)
           (declare (type (unsigned-byte 64) x))
           (let* ((x (logxor x (ldb (byte 64 0) (ash x 13)))) (x (logxor x (ash x -7))))
             (logxor x (ldb (byte 64 0) (ash x 17))))))
    (next (next x))))

(defun shift-register (x n)
  (declare (type (unsigned-byte 16) x) (type (integer 0 64) n))
  (let ((state x))
    (declare (type (unsigned-byte 16) state))
    (dotimes (i n state)
      (let ((bit (logand 1 (logxor state (ash state -2) (ash state -3) (ash state -5)))))
        (setf state (logior (ash state -1) (ash bit 15)))))))

(defun quarter-round (a b c d)
  (declare (type (unsigned-byte 32) a b c d))
  (macrolet ((mix (x y z k)
               `(setf ,x (ldb (byte 32 0) (+ ,x ,y))
                      ,z (let ((turned (logxor ,z ,x)))
                           (logior (ldb (byte 32 0) (ash turned ,k)) (ash turned ,(- k 32)))))))
    (mix a b d 16)
    (mix c d b 12)
    (mix a b d 8)
    (mix c d b 7)
    (values a b c d)))

(defun tea-round (x y key sum)
  (declare (type (unsigned-byte 32) x y key sum))
  (ldb (byte 32 0)
       (+ x (logxor (ldb (byte 32 0) (+ (ash y 4) key)) (ldb (byte 32 0) (+ y sum)) (+ (ash y -5) key)))))

(defun choice-and-majority (x y z)
  (declare (type (unsigned-byte 32) x y z))
  (values (logxor (logand x y) (logandc1 x z))
          (logior (logand x y) (logand x z) (logand y z))
          (logior (logand x y) (logand (lognot x) z))
          (ldb (byte 32 0) (logxor y (logior x (lognot z))))))

(defun montgomery-reduced (x n)
  (declare (type (unsigned-byte 64) x) (type (unsigned-byte 31) n))
  (let* ((n (logior n 1))
         (inverse (let ((y n)) (dotimes (i 4 y) (setf y (ldb (byte 32 0) (* y (- 2 (* n y))))))))
         (m (ldb (byte 32 0) (* (ldb (byte 32 0) x) (- inverse))))
         (reduced (ash (+ (mod x (ash n 32)) (* m n)) -32)))
    (if (>= reduced n) (- reduced n) reduced)))

(defun barrett-reduced (x)
  (declare (type (unsigned-byte 24) x))
  (let* ((n 3329) (quotient (ash (* x 5039) -24)) (rest (- x (* quotient n))))
    (if (>= rest n) (- rest n) rest)))

(defun product-mod-a-mersenne-prime (x y)
  (declare (type (unsigned-byte 61) x y))
  (let* ((p (1- (ash 1 61))) (product (* x y))
         (sum (+ (logand product p) (ash product -61))))
    (if (>= sum p) (- sum p) sum)))

(defun sum-mod-a-prime (x y)
  (declare (type (integer 0 18446744069414584320) x y))
  (let ((sum (+ x y)))
    (if (>= sum 18446744069414584321) (- sum 18446744069414584321) sum)))

(defun limbs-of-26-bits (x y)
  (declare (type (unsigned-byte 52) x y))
  (let* ((x0 (ldb (byte 26 0) x)) (x1 (ldb (byte 26 26) x))
         (y0 (ldb (byte 26 0) y)) (y1 (ldb (byte 26 26) y))
         (z0 (* x0 y0)) (z1 (+ (* x0 y1) (* x1 y0) (ash z0 -26))) (z2 (+ (* x1 y1) (ash z1 -26))))
    (values (ldb (byte 26 0) z0) (ldb (byte 26 0) z1) z2)))

(defun sum-of-four-limbs (a b c d)
  (declare (type (unsigned-byte 64) a b c d))
  (let* ((low (+ a c)) (high (+ b d (ash low -64))))
    (values (ldb (byte 64 0) low) (ldb (byte 64 0) high) (ldb (byte 1 64) high))))

(defun fixed-point-product (x y)
  (declare (type (signed-byte 32) x y))
  (ash (+ (* x y) (ash 1 15)) -16))

(defun fixed-point-quotient (x y)
  (declare (type (signed-byte 32) x) (type (integer 1 2147483647) y))
  (truncate (ash x 16) y))

(defun linear-between (x y k)
  (declare (type (unsigned-byte 8) x y k))
  (ash (+ (* x (- 255 k)) (* y k) 127) -8))

(defun colours-mixed (x y)
  (declare (type (unsigned-byte 32) x y))
  (+ (logand x y) (ash (logand (logxor x y) #xfefefefe) -1)))

(defun days-from-civil (year month day)
  (declare (type (integer -9999 9999) year) (type (integer 1 12) month) (type (integer 1 31) day))
  (let* ((y (if (<= month 2) (1- year) year))
         (era (floor y 400))
         (of-era (- y (* era 400)))
         (of-year (+ (floor (+ (* 153 (mod (+ month 9) 12)) 2) 5) (1- day))))
    (+ (* era 146097) (* of-era 365) (floor of-era 4) (- (floor of-era 100)) of-year -719468)))

(defun leap-year (year)
  (declare (type (integer -9999 9999) year))
  (and (zerop (mod year 4)) (or (plusp (mod year 100)) (zerop (mod year 400)))))

(defun seconds-as-time (x)
  (declare (type (integer 0 86399) x))
  (multiple-value-bind (minutes seconds) (floor x 60)
    (multiple-value-bind (hours minutes) (floor minutes 60)
      (values hours minutes seconds))))

(defun code-point-from-octets (a b c)
  (declare (type (unsigned-byte 8) a b c))
  (logior (ash (ldb (byte 4 0) a) 12) (ash (ldb (byte 6 0) b) 6) (ldb (byte 6 0) c)))

(defun code-point-as-octets (x)
  (declare (type (integer 0 65535) x))
  (cond ((< x #x80) x)
        ((< x #x800) (values (logior #xc0 (ash x -6)) (logior #x80 (ldb (byte 6 0) x))))
        (t (values (logior #xe0 (ash x -12))
                   (logior #x80 (ldb (byte 6 6) x))
                   (logior #x80 (ldb (byte 6 0) x))))))

(defun zigzag (x)
  (declare (type (signed-byte 64) x))
  (let ((coded (logxor (ash x 1) (ash x -63))))
    (values (ldb (byte 64 0) coded) (logxor (ash coded -1) (- (logand coded 1))))))

(defun exponent-and-mantissa (x)
  (declare (type (unsigned-byte 32) x))
  (let ((sign (ldb (byte 1 31) x)) (exponent (ldb (byte 8 23) x)) (mantissa (ldb (byte 23 0) x)))
    (values (if (zerop sign) 1 -1) (- exponent 127) (logior mantissa (if (zerop exponent) 0 (ash 1 23))))))

(defun network-address (address bits)
  (declare (type (unsigned-byte 32) address) (type (integer 0 32) bits))
  (let ((mask (ldb (byte 32 0) (ash -1 (- 32 bits)))))
    (values (logand address mask) (logior address (logxor mask #xffffffff)) (ash 1 (- 32 bits)))))

;;; Places, order, ways out; and what of a long integer is wanted

(defun order-of-evaluation (x)
  (declare (type (signed-byte 16) x))
  (let ((n x))
    (values (- (incf n) (* 2 (incf n 3))) n (logand (decf n) (setf n 7) (incf n)))))

(defun place-incremented-twice (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((z x))
    (incf (ldb (byte 4 4) z) (ldb (byte 4 0) y))
    (decf (ldb (byte 4 8) z))
    (rotatef (ldb (byte 8 0) z) (ldb (byte 8 16) z))
    z))

(defun place-in-an-array (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((v (make-array 4 :element-type '(unsigned-byte 32) :initial-element x)) (i 0))
    (setf (ldb (byte 8 8) (aref v (incf i))) y)
    (incf (aref v (incf i)) 0)
    (shiftf (aref v 0) (aref v 1) (aref v 3) y)
    (values i (aref v 0) (aref v 1) (aref v 2) (aref v 3))))

(defun shadowed (x)
  (declare (type (unsigned-byte 32) x))
  (let* ((x (ldb (byte 16 0) x)) (y (let ((x (* x x))) (logxor x 1))) (x (- x y)))
    (flet ((x (y) (+ x y)))
      (let ((x 3)) (values x (x y))))))

(defun assigned-beyond-its-type (x)
  (declare (type (unsigned-byte 8) x))
  (setf x (+ x 100))
  (* x 2))

(defun assigned-within-a-type (x)
  (declare (type (unsigned-byte 8) x))
  (let ((y 0))
    (declare (type (integer -10 200) y))
    (setf y (- x 20))
    (ash y 2)))

(defun incremented-beyond-its-type (x)
  (declare (type (unsigned-byte 8) x))
  (incf x)
  x)

(defun loop-of-a-type-beyond (x)
  (declare (type (integer 0 20) x))
  (let ((sum 0))
    (declare (type (unsigned-byte 6) sum))
    (dotimes (i x sum) (incf sum i))))

(defun result-of-a-declared-function (x y)
  (declare (type (signed-byte 32) x y))
  (flet ((difference (a b)
           (declare (type (signed-byte 32) a b))
           (the (signed-byte 32) (- a b))))
    (logxor (difference x y) (difference y x))))

(defun greatest-so-far (x)
  (declare (type (unsigned-byte 64) x))
  (loop for i below 8 maximize (ldb (byte 8 (* 8 i)) x)))

(defun least-so-far (x)
  (declare (type (unsigned-byte 64) x))
  (loop for i from 0 to 56 by 8 minimize (- (ldb (byte 8 i) x) i)))

(defun bits-counted-by-a-loop (x)
  (declare (type (unsigned-byte 64) x))
  (loop for i from 63 downto 0 count (logbitp i x)))

(defun sums-under-conditions (x)
  (declare (type (unsigned-byte 64) x))
  (loop with even = 0
        for i below 16
        for nibble = (ldb (byte 4 (* 4 i)) x)
        if (evenp nibble) do (incf even nibble) else sum nibble into odd
        finally (return (values even odd))))

(defun parallel-do (x)
  (declare (type (unsigned-byte 16) x))
  (do ((a x b) (b 1 (logand #xffff (+ a (* 3 b)))) (i 0 (1+ i))) ((= i 10) (values a b))))

(defun sequential-do (x)
  (declare (type (unsigned-byte 16) x))
  (do* ((a x b) (b 1 (logand #xffff (+ a (* 3 b)))) (i 0 (1+ i))) ((= i 10) (values a b))))

(defun goes-around (x)
  (declare (type (unsigned-byte 16) x))
  (let ((n x) (steps 0))
    (tagbody
     again
       (when (zerop n) (go done))
       (if (oddp n) (decf n) (setf n (ash n -1)))
       (incf steps)
       (go again)
     done)
    steps))

(defun left-from-within (x)
  (declare (type (unsigned-byte 32) x))
  (block outer
    (dotimes (i 8)
      (dotimes (j 4)
        (when (= (ldb (byte 4 (* 4 i)) x) (* 3 j))
          (return-from outer (values i j)))))
    -1))

(defun recursion-masked (x n)
  (declare (type (unsigned-byte 32) x) (type (integer 0 20) n))
  (labels ((next (x n)
             (declare (type (unsigned-byte 32) x) (type (integer 0 20) n))
             (if (zerop n) x (next (ldb (byte 32 0) (+ (* x 69069) n)) (1- n)))))
    (next x n)))

(defun recursion-on-two-ways (n)
  (declare (type (integer 0 12) n))
  (labels ((fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
    (fib n)))

(defun ackermann (m n)
  (declare (type (integer 0 2) m) (type (integer 0 6) n))
  (labels ((a (m n)
             (cond ((zerop m) (1+ n))
                   ((zerop n) (a (1- m) 1))
                   (t (a (1- m) (a m (1- n)))))))
    (a m n)))

(defun chosen-by-case (x)
  (declare (type (unsigned-byte 4) x))
  (case x
    (0 -1)
    ((1 2 3) (ash 1 (* 20 x)))
    ((4 8 12) (lognot x))
    (t (* x x x))))

(defun remainder-of-a-checked-quotient (x y)
  (declare (type (signed-byte 64) x y))
  (if (and (/= y 0) (zerop (rem x y))) (truncate x y) (values 0 (logand x y))))

(defun guarded-shift (x k)
  (declare (type (unsigned-byte 64) x) (type integer k))
  (if (<= 0 k 63) (ldb (byte 64 0) (ash x k)) 0))

(defun guarded-difference (x y)
  (declare (type (unsigned-byte 64) x y))
  (if (>= x y) (- x y) (- y x)))

(defun clamped-index (x)
  (declare (type (signed-byte 64) x))
  (let ((i (max 0 (min 7 x))))
    (logand 15 (ash #x76543210 (* -4 i)))))

(defun equal-words (x y)
  (declare (type (unsigned-byte 64) x y))
  (let ((z (logxor x y)))
    (- 1 (ldb (byte 1 63) (logior z (ldb (byte 64 0) (- z)))))))

(defun below-without-branches (x y)
  (declare (type (unsigned-byte 64) x y))
  (ldb (byte 1 63)
       (logxor x (logior (logxor x y) (logxor (ldb (byte 64 0) (- x y)) y)))))

(defun product-with-carries-in (x y c d)
  (declare (type (unsigned-byte 64) x y c d))
  (let ((z (+ (* x y) c d)))
    (values (ldb (byte 64 0) z) (ash z -64))))

(defun square-of-two-limbs (x y)
  (declare (type (unsigned-byte 32) x y))
  (let* ((low (* x x)) (middle (+ (* 2 x y) (ash low -32))) (high (+ (* y y) (ash middle -32))))
    (values (ldb (byte 32 0) low) (ldb (byte 32 0) middle) high)))

(defun half-of-a-sum-of-three (x y z)
  (declare (type (unsigned-byte 64) x y z))
  (ldb (byte 64 0) (ash (+ x y z) -1)))

(defun third-of-a-difference (x y)
  (declare (type (unsigned-byte 64) x y))
  (values (floor (- x y) 3) (truncate (- x y) 3)))

(defun word-of-a-quotient-below-zero (x y)
  (declare (type (signed-byte 64) x) (type (integer 1 1000) y))
  (values (ldb (byte 64 0) (floor x y)) (ldb (byte 32 0) (truncate (- x) y))))

(defun field-of-a-product-of-three (x y z)
  (declare (type (unsigned-byte 64) x y z))
  (ldb (byte 64 64) (* x y z)))

(defun shifted-out-on-the-left (x)
  (declare (type (signed-byte 32) x))
  (values (ldb (byte 32 0) (ash x 31)) (ldb (byte 32 0) (ash x 32)) (ldb (byte 32 16) (ash x 32))))

(defun shifts-of-the-mask (x k)
  (declare (type (unsigned-byte 64) x) (type (integer 0 64) k))
  (values (logand x (ash -1 k)) (logandc2 x (ash -1 k)) (logand x (lognot (ash -1 (- 64 k))))))

(defun count-below-zero-masked (x k)
  (declare (type (unsigned-byte 32) x) (type (integer -64 0) k))
  (logand #xff (ash (- x) k)))

(defun unsigned-and-signed-read (x)
  (declare (type (signed-byte 8) x))
  (let ((octet (logand x 255)))
    (values octet (- octet (ash (logand octet 128) 1)) (= x (- (logxor octet 128) 128)))))

(defun long-constant-folded ()
  (values (ldb (byte 64 0) (* 12345678901234567890 98765432109876543210)) (mod (expt 7 100) 1000)
          (integer-length (ash 1 200)) (gcd (expt 2 70) (expt 6 30)) (isqrt (expt 10 40))))

(defun nothing-is-left-of-it (x)
  (declare (type (unsigned-byte 64) x))
  (values (ldb (byte 0 5) x) (logand x 0) (ash x -64) (mod x 1) (ldb (byte 8 64) x) (* x 0)))

(defun unused-division (x y)
  (declare (type (signed-byte 8) x y))
  (let ((q (floor x y)))
    (if (> x 100) q 5)))

(defun words-from-a-bignum (x)
  (declare (type (unsigned-byte 200) x))
  (values (ldb (byte 64 0) x) (ldb (byte 64 64) x) (ldb (byte 64 128) x) (ldb (byte 8 192) x)
          (logcount x) (integer-length x)))

(defun bignum-from-words (a b c)
  (declare (type (unsigned-byte 64) a b c))
  (mod (logior a (ash b 64) (ash c 128)) 1000000007))

(defun signed-bignum-logic (x y)
  (declare (type (signed-byte 200) x y))
  (values (logand x y) (logior x y) (logxor x y) (ldb (byte 70 63) (logxor x (- y)))))

;;; Arguments whose types say little

(defun hash-of-any (x)
  (loop for i from 0 below 4
        for part = (ldb (byte 16 (* 16 i)) x)
        sum (* part (1+ i))))

(defun any-power-masked (x)
  (ldb (byte 16 0) (expt x 5)))

(defun any-quotient (x y)
  (if (zerop y) 0 (floor x (abs y))))

(defun any-shifted (x k)
  (declare (type (integer -200 200) k))
  (values (ash x k) (logand 255 (ash x k)) (logbitp 100 (ash x k))))

(defun any-compared (x y)
  (cond ((< x y) -1) ((> x y) 1) (t 0)))

(defun any-masked-then-compared (x y)
  (= (logand x 255) (logand y 255)))

(defun any-argument-left-out (x &optional (y 1) (z (+ x y)))
  (ldb (byte 32 0) (- (* x z) y)))

;;; What is beyond the language that is compiled, or was when this was written

(defun quotient-without-a-rest (x)
  (declare (type (signed-byte 32) x))
  (/ (* x 3) 3))

(defun half-as-a-ratio (x)
  (declare (type (signed-byte 32) x))
  (numerator (/ x 2)))

(defun float-truncated (x)
  (declare (type (signed-byte 16) x))
  (truncate (* x 1.5d0)))

(defun square-root-of-a-float (x)
  (declare (type (unsigned-byte 16) x))
  (floor (sqrt (float x 1d0))))

(defun sum-by-apply (x y)
  (declare (type (signed-byte 64) x y))
  (apply #'+ (list x y 1)))

(defun sum-by-funcall (x y)
  (declare (type (signed-byte 64) x y))
  (funcall #'+ x y))

(defun operator-as-a-value (x y)
  (declare (type (unsigned-byte 32) x y))
  (let ((f (if (< x y) #'logand #'logior)))
    (funcall f x y)))

(defun reduced-list (x y)
  (declare (type (unsigned-byte 32) x y))
  (reduce #'logxor (list x y (+ x y))))

(defun values-as-arguments (x y)
  (declare (type (signed-byte 32) x) (type (integer 1 100) y))
  (multiple-value-call #'- (floor x y)))

(defun values-as-a-list (x y)
  (declare (type (signed-byte 32) x) (type (integer 1 100) y))
  (length (multiple-value-list (truncate x y))))

(defun division-by-zero-handled (x y)
  (declare (type (signed-byte 8) x y))
  (handler-case (truncate x y) (division-by-zero () -1)))

(defun mask-signed-by-sbcl (x)
  (declare (type (signed-byte 64) x))
  (sb-c::mask-signed-field 31 x))

(defun truly-a-word (x y)
  (declare (type (unsigned-byte 31) x y))
  (sb-ext:truly-the (unsigned-byte 32) (+ x y)))

(defun bits-of-a-bit-vector (x)
  (declare (type (mod 8) x))
  (let ((v (make-array 8 :element-type 'bit :initial-element 0)))
    (setf (bit v x) 1)
    (bit v (logxor x 1))))

(defun two-dimensions (i j)
  (declare (type (mod 3) i j))
  (let ((a (make-array '(3 3) :initial-element 1)))
    (setf (aref a i j) 5)
    (* (aref a 0 0) (aref a 2 2))))

(defun digits-parsed (x)
  (declare (type (mod 1000) x))
  (parse-integer (format nil "~D" x)))
