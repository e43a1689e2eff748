// What a program does once at its beginning so that nothing that happens to its surroundings costs
// it its work or its output.
#pragma once

namespace copse {

// Descriptors 0 to 2 are occupied from now on: a file opened later cannot become standard error
// because that was closed ("2>&-"), and so receive its messages. Reading a standard input or
// writing a standard output that was closed fails as it did.
void occupy_standard_descriptors();

// Standard error that cannot be written (a full disk, a closed pipe) swallows messages: the
// result of hours of training is worth more than the line that says so. Affects every later use of
// `stderr`; where the C library cannot do it, nothing happens.
void make_standard_error_safe();

// SIGINT, SIGTERM and SIGHUP remove the temporary files of Output before they end the program;
// a signal that is ignored (nohup) stays ignored. A closed pipe is a failed write, not a signal. A
// fault because a mapped file was changed (watched_files.h) ends it with a sentence and code 3.
void handle_signals();

}  // namespace copse
