#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/mpirun/smpi_results.hpp"
#include "tests/support/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::contains;

namespace {

using Json = nlohmann::json;

/// A rank in a call on messages, each `{sent, rank, tag}`.
Json message_wait(int rank, const char* call, const std::vector<Json>& messages) {
  Json wait{{"rank", rank}, {"call", call}, {"collective", false}, {"missing", Json::array()}};
  wait["messages"] = Json::array();
  for (const Json& message : messages)
    wait["messages"].push_back({{"sent", message[0]}, {"rank", message[1]}, {"tag", message[2]}});
  return wait;
}

Json group_wait(int rank, const char* call, bool collective, const std::vector<int>& missing) {
  return {{"rank", rank},
          {"call", call},
          {"collective", collective},
          {"messages", Json::array()},
          {"missing", missing}};
}

std::string sentence(const std::vector<Json>& waits) {
  Json ending{{"ending", "deadlock"}, {"waits", waits}, {"ranks", Json::array()}};
  for (const Json& wait : waits) ending["ranks"].push_back(wait["rank"]);
  return deadlock_in_words(ending);
}

Json receive(int rank, int from) {
  return message_wait(rank, "MPI_Recv", {{false, from, 7}});
}

}  // namespace

TEST_CASE("Ranks are listed up to sixteen") {
  CHECK(ranks_in_words({3}) == "rank 3");
  CHECK(ranks_in_words({0, 1, 2}) == "ranks 0, 1, 2");
  CHECK(ranks_in_words({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}) ==
        "ranks 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 2 more");
}

TEST_CASE("Two ranks that receive from each other are a ring") {
  CHECK(sentence({receive(0, 1), receive(1, 0)}) ==
        "deadlock: ranks 0, 1 of the program wait for what never comes, in a ring 0 -> 1 -> 0: "
        "rank 0 is in MPI_Recv for a message with tag 7 from rank 1; rank 1 is in MPI_Recv for a "
        "message with tag 7 from rank 0");
}

TEST_CASE("A ring is told from its lowest rank on, without those who wait for it") {
  const std::string text = sentence({receive(0, 4), receive(2, 4), receive(4, 2)});
  CHECK(contains(text, "in a ring 2 -> 4 -> 2: rank 2 "));
  CHECK_FALSE(contains(text, "rank 0 is in"));
}

TEST_CASE("Who waits for a rank that has ended is told so") {
  CHECK(sentence({receive(2, 0)}) ==
        "deadlock: rank 2 of the program waits for what never comes: rank 2 is in MPI_Recv for a "
        "message with tag 7 from rank 0, which ended before");
  CHECK(contains(sentence({group_wait(0, "MPI_Barrier", true, {1, 2}), receive(1, 3)}),
                 "rank 0 is in MPI_Barrier, which waits for ranks 1, 2 (rank 2 ended before)"));
}

TEST_CASE("Any rank, any tag, several messages and no message are told") {
  CHECK(contains(sentence({message_wait(1, "MPI_Recv", {{false, nullptr, nullptr}})}),
                 "rank 1 is in MPI_Recv for a message with any tag from any rank"));
  CHECK(contains(sentence({message_wait(1, "MPI_Waitall", {{false, 5, 2}, {true, 6, 3}})}),
                 "rank 1 is in MPI_Waitall for a message with tag 2 from rank 5, which ended "
                 "before and a message with tag 3 to rank 6, which ended before"));
  CHECK(contains(sentence({message_wait(1, "", {})}), "rank 1 is in a function of MPI"));
}

TEST_CASE("A call for which part of a group is missing waits for that part") {
  const std::string text = sentence({group_wait(0, "MPI_Win_start", false, {2}), receive(2, 0)});
  CHECK(
      contains(text, "in a ring 0 -> 2 -> 0: rank 0 is in MPI_Win_start, which waits for rank 2;"));
  CHECK(contains(sentence({group_wait(0, "MPI_Barrier", true, {})}),
                 "rank 0 is in MPI_Barrier, as are all others of its communicator"));
}

TEST_CASE("Eight ranks are told in full") {
  std::vector<Json> waits;
  for (int rank = 0; rank < 20; ++rank) waits.push_back(receive(rank, (rank + 1) % 20));
  const std::string text = sentence(waits);
  CHECK(contains(text, " -> 15 -> ... -> 0: rank 0 is in"));
  CHECK(contains(text, "rank 7 is in"));
  CHECK_FALSE(contains(text, "rank 8 is in"));
  CHECK(contains(text, "; and 12 more"));
}
