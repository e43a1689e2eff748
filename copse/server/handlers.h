// The answers of the API, one function each: a question and a model in, an answer out.
#pragma once

#include "copse/server/analysis.h"
#include "copse/server/http.h"

namespace copse::server {

Response answer_parse(const Question& question, const Work& work);
Response answer_tag(const Question& question, const Work& work);
Response answer_tokenize(const Question& question, const Work& work);
Response answer_nbest(const Question& question, const Work& work);
Response answer_rerank(const Question& question, const Work& work);
Response answer_explain(const Question& question, const Work& work);

// {"models": [{"name": "en", "components": [...], "default": true}, ...]}
Response answer_models(const ServedModels& models);

// UDPipe's REST API: https://lindat.mff.cuni.cz/services/udpipe/api-reference.php
Response answer_udpipe_models(const ServedModels& models);
Response answer_udpipe_process(const Request& request, const ServedModels& models,
                               const ServerLimits& limits, const Deadline& deadline);

}  // namespace copse::server
