# Compares what vtopo and an MPI library answer, call by call.
# Usage: awk -v library=NAME -f compare_answers.awk known_deviations.txt SCRIPT VTOPO LIBRARY
# Prints every answer that differs without being a known deviation, each known deviation with the
# number of calls it explains, and the totals. Status 1 if anything differs that is not known, or
# if nothing was compared.

function trimmed(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

# Answer of a line "line process call -> answer", with single spaces.
function answer_in(line) {
  sub(/^.*->/, "", line)
  gsub(/[ \t]+/, " ", line)
  return trimmed(line)
}

function call_in(line, words) {
  split(line, words, " ")
  return words[1] " " words[2] " " words[3]
}

# The words of a text in ascending order.
function sorted(text, words, count, i, j, word) {
  count = split(text, words, " ")
  for (i = 2; i <= count; ++i) {
    word = words[i]
    for (j = i - 1; j >= 1 && words[j] > word; --j) words[j + 1] = words[j]
    words[j + 1] = word
  }
  text = ""
  for (i = 1; i <= count; ++i) text = text " " words[i]
  return text
}

# Whether the library's answer is as a row says: a regular expression in which & stands for
# vtopo's answer, or PERMUTED for the words of vtopo's answer in another order.
function fits(theirs, pattern, ours) {
  if (pattern == "PERMUTED") return sorted(theirs) == sorted(ours)
  gsub(/&/, ours, pattern)
  return theirs ~ ("^(" pattern ")$")
}

# Number of the known deviation that explains a difference; 0 if there is none.
function deviation(call, ours, theirs, i) {
  for (i = 1; i <= rows; ++i)
    if (row_call[i] == call && ours ~ ("^(" row_ours[i] ")$") && fits(theirs, row_theirs[i], ours))
      return i
  return 0
}

# Names a slot of a process in the case that a line of the script belongs to.
function slot_of(process, line, position, words) {
  split(script[line], words, " ")
  return process " " case_of[line] " " words[position]
}

# Whether a process could not call because a known deviation left it without the communicator.
function lacks_communicator(place, words) {
  split(place, words, " ")
  return (slot_of(words[2], words[1], words[3] ~ /_create|cart_sub|comm_dup|comm_split/ ? 3 : 2) in lacking)
}

function complain(place, ours, theirs, words) {
  split(place, words, " ")
  if (++unknown > 20) return
  printf "differs: %s, process %s\n  vtopo: %s\n  %s: %s\n", script[words[1]], words[2], ours, library, theirs
}

FNR == 1 { ++file }

file == 1 && /^[^#]/ {
  if (split($0, field, ";") != 5) {
    print "known_deviations.txt, line " FNR ": accepted are five fields with ; between them"
    malformed = 1
    exit 1
  }
  if (trimmed(field[1]) != library) next
  ++rows
  row_call[rows] = trimmed(field[2])
  row_ours[rows] = trimmed(field[3])
  row_theirs[rows] = trimmed(field[4])
  row_reason[rows] = trimmed(field[5])
}

file == 2 {
  script[FNR] = $0
  case_of[FNR] = cases
  if ($0 == "end_case") ++cases
}

file == 3 {
  ours[call_in($0)] = answer_in($0)
  ++asked
}

file == 4 && /->/ {
  place = call_in($0)
  if (!(place in ours)) {
    complain(place, "no call", answer_in($0))
    next
  }
  ++answered
  theirs = answer_in($0)
  if (theirs == ours[place]) {
    ++agreed
  } else {
    known = deviation($3, ours[place], theirs)
    if (known) {
      ++explained[known]
      if (theirs == "null") lacking[slot_of($2, $1, 2)]
    } else complain(place, ours[place], theirs)
  }
  delete ours[place]
}

END {
  if (malformed) exit 1
  for (place in ours) {
    if (lacks_communicator(place)) ++unasked
    else complain(place, ours[place], "no answer")
  }
  for (i = 1; i <= rows; ++i) {
    printf "known deviation: %s, %d calls: vtopo \"%s\", %s \"%s\": %s\n", row_call[i], explained[i], row_ours[i], library, row_theirs[i], row_reason[i]
    deviating += explained[i]
  }
  printf "%s: %d of %d calls agree, %d deviate as known, %d not made for want of a communicator that a deviation withheld, %d differ\n", library, agreed, asked, deviating, unasked, unknown
  exit asked == 0 || unknown > 0
}
