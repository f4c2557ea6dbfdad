/* SPDX-License-Identifier: MIT */
/* capture_made.h - the captures of capture_made.c, for the program of test_capture.c. */
#ifndef TESTS_CAPTURE_MADE_H
#define TESTS_CAPTURE_MADE_H

void test_made_captures(void);

#endif /* TESTS_CAPTURE_MADE_H */
