#include "copse/server/forms.h"

#include <gtest/gtest.h>

namespace copse::server {
namespace {

TEST(Forms, PercentDecodingTakesTwoDigitsOrNothing) {
  EXPECT_EQ(percent_decoded("a%20b+c", true), "a b c");
  EXPECT_EQ(percent_decoded("a%20b+c", false), "a b+c");
  EXPECT_EQ(percent_decoded("%C3%A9", true), "é");
  EXPECT_EQ(percent_decoded("%", true), std::nullopt);
  EXPECT_EQ(percent_decoded("%4", true), std::nullopt);
  EXPECT_EQ(percent_decoded("%4g", true), std::nullopt);
  EXPECT_EQ(percent_decoded("%-1", true), std::nullopt);
  EXPECT_EQ(percent_decoded("%+1", true), std::nullopt);
}

TEST(Forms, FieldsOfAnAddress) {
  const Fields expected = {{"data", "a=b"}, {"tagger", ""}, {"parser", ""}};
  EXPECT_EQ(urlencoded_fields("data=a=b&tagger=&&parser"), expected);
  EXPECT_EQ(urlencoded_fields(""), Fields());
  EXPECT_THROW(urlencoded_fields("a=%zz"), Refusal);
  std::string many;
  for (std::size_t i = 0; i <= kMostFields; ++i) many += "a=b&";
  EXPECT_THROW(urlencoded_fields(many), Refusal);
}

TEST(Forms, PartsOfAForm) {
  const std::string type = "multipart/form-data; boundary=\"x y\"";
  const Fields expected = {{"data", "one\r\ntwo\n"}, {"model", "en"}};
  EXPECT_EQ(multipart_fields("--x y\r\nContent-Disposition: form-data; name=\"data\"; "
                             "filename=\"a;b\"\r\nContent-Type: text/plain\r\n\r\none\r\ntwo\n\r\n"
                             "--x y\r\ncontent-disposition: form-data; name=model\r\n\r\nen\r\n"
                             "--x y--\r\n",
                             type),
            expected);
  // As Python's email package writes it.
  const Fields bare = {{"data", "text"}};
  EXPECT_EQ(multipart_fields("--b\nContent-Type: text/plain\nMIME-Version: 1.0\n"
                             "Content-Disposition: form-data; name=\"data\"\n\ntext\n--b--\n",
                             "multipart/form-data; boundary=b"),
            bare);
}

TEST(Forms, MalformedPartsAreRefused) {
  const std::string type = "multipart/form-data; boundary=b";
  const std::string head = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n";
  for (const std::string& body :
       {std::string(), std::string("no boundary"), head, head + "\r\n", head + "\r\nvalue",
        std::string("--b\r\n\r\nnameless\r\n--b--"), std::string("--b junk\r\n"),
        std::string("--b\r\nno colon\r\n\r\nx\r\n--b--")}) {
    EXPECT_THROW(multipart_fields(body, type), Refusal) << body;
  }
  EXPECT_THROW(multipart_fields(head, "multipart/form-data"), Refusal);
}

TEST(Forms, ParametersOfAHeader) {
  EXPECT_EQ(media_type(" Text/HTML ; charset=utf-8"), "text/html");
  EXPECT_EQ(parameter_of("a; b=c; name=\"x\\\"y;z\"; d=e", "name"), "x\"y;z");
  EXPECT_EQ(parameter_of("a; name=x;d=e", "d"), "e");
  EXPECT_EQ(parameter_of("a; filename=x", "name"), "");
  EXPECT_EQ(parameter_of("a; flag; name=x", "name"), "x");
  EXPECT_EQ(parameter_of("a;", "name"), "");
  EXPECT_EQ(parameter_of("a; name=\"open", "name"), "open");
}

}  // namespace
}  // namespace copse::server
