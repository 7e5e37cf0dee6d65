#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <agon/number_text.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "catch.hpp"
#include "llm/answer/read_answer.hpp"

// What models say, by family and by failure of their servers, with the right reading of each: every
// form with the answers of five kinds of games. None may be read as an answer that was not given,
// and none that is certain may be asked for again.
namespace llm_replies_test {

using namespace agon;

struct Bid {
  int bid = 0;
};
AGON_DESCRIBE(Bid, (bid, "what you bid", agon::at_least(0)))

struct Sell {
  Money price{};
};
AGON_DESCRIBE(Sell, (price, "the price", agon::unit("dollars")))
struct Buy {
  Money price{};
};
AGON_DESCRIBE(Buy, (price, "the price", agon::unit("dollars")))
struct Quit {};
AGON_DESCRIBE(Quit)
struct Turn {
  std::string talk;
  std::variant<Buy, Sell, Quit> action;
};
AGON_DESCRIBE(Turn, (talk, "what you say"), (action, "what you do"))

struct Split {
  std::vector<int> take;
};
AGON_DESCRIBE(Split, (take, "of each item", agon::range(0, 90)))

enum class Choice : std::uint8_t { cooperate, defect };
AGON_DESCRIBE_ENUM(Choice, (cooperate, "together"), (defect, "alone"))
struct Choose {
  Choice choice = Choice::cooperate;
};
AGON_DESCRIBE(Choose, (choice, "what you do"))

struct Guess {
  double guess = 0;
  std::string why;
};
AGON_DESCRIBE(Guess, (guess, "a number", agon::range(0, 100)), (why, "why"))

/// A game's question, an answer to it and another one, as JSON and as people name them.
struct Game {
  const Type& type;
  std::string answer;
  std::string other;
  std::string said;
  std::string other_said;
};

std::vector<Game> games() {
  return {{type_of<Bid>(), R"({"bid": 58})", R"({"bid": 12})", "58", "12"},
          {type_of<Bid>(), R"({"bid": 7})", R"({"bid": 71})", "7", "71"},
          {type_of<Turn>(), R"({"talk": "Fine.", "action": {"kind": "buy", "price": 41.5}})",
           R"({"talk": "Hm.", "action": {"kind": "buy", "price": 63}})", "41.5", "63"},
          {type_of<Split>(), R"({"take": [1, 0, 3]})", R"({"take": [0, 2, 1]})", "1, 0 and 3", "2"},
          {type_of<Choose>(), R"({"choice": "cooperate"})", R"({"choice": "defect"})", "cooperate",
           "defect"},
          {type_of<Guess>(), R"({"guess": 22.5, "why": "half"})", R"({"guess": 33, "why": "no"})",
           "22.5", "33"}};
}

/// @A: the answer, @B: another one, @a and @b: the same in words; @S: the answer as a text of JSON.
struct Form {
  Fault fault;
  const char* said;
};

constexpr Fault kOk = Fault::ok, kRepaired = Fault::repaired, kInWords = Fault::in_words,
                kAgain = Fault::unparsable, kEmpty = Fault::empty, kRefused = Fault::refused;

constexpr Form kForms[] = {
    // As it was asked for.
    {kOk, "@A"},
    {kOk, "\n\n@A\n"},
    {kOk, "  @A   \n \n"},

    // Thoughts in the delimiters of their families: Qwen, DeepSeek, Magistral, Kimi, gpt-oss,
    // EXAONE, Seed, Command, Granite, OpenThinker, Gemma, Apertus.
    {kOk, "<think>Maybe @B?</think>@A"},
    {kOk, "<think>\nMaybe @B? No, @a.\n</think>\n\n@A"},
    {kOk, "<think></think>\n@A"},
    {kOk, "<thinking>Perhaps @b.</thinking>\n@A"},
    {kOk, "<Think>Maybe @B</Think>\n@A"},
    {kOk, "<think>a</thinking>@A"},
    {kOk, "Maybe @B, or @b?</think>@A"},
    {kOk, "@B</think>@A"},
    {kOk, "[THINK]Maybe @B?[/THINK]@A"},
    {kOk, "[THINK]Maybe @b?[/THINK] @A"},
    {kOk, "Maybe @B?[/THINK]@A"},
    {kOk, "\u25c1think\u25b7Maybe @B?\u25c1/think\u25b7@A"},
    {kOk, "Maybe @B?\u25c1/think\u25b7@A"},
    {kOk, "<thought>Maybe @B?</thought>@A"},
    {kOk, "<thoughts>@B or @A</thoughts>\n@A"},
    {kOk, "<reasoning>Maybe @B?</reasoning>\n@A"},
    {kOk, "<reflection>Maybe @B?</reflection>\n@A"},
    {kOk, "<analysis>Maybe @B?</analysis>\n@A"},
    {kOk, "<scratchpad>\n@B\n</scratchpad>\n@A"},
    {kOk, "<seed:think>Maybe @B?</seed:think>@A"},
    {kOk, "<|START_THINKING|>Maybe @B?<|END_THINKING|>@A"},
    {kRepaired, "<|START_THINKING|>@B<|END_THINKING|><|START_RESPONSE|>@A<|END_RESPONSE|>"},
    {kOk, "<|begin_of_thought|>Maybe @B?<|end_of_thought|>\n@A"},
    {kRepaired,
     "<|begin_of_thought|>@B<|end_of_thought|>\n<|begin_of_solution|>\n@A\n<|end_of_solution|>"},
    {kOk, "<|channel>thought\nMaybe @B?<channel|>@A"},
    {kOk, "<unused94>thought\nMaybe @B?<unused95>@A"},
    {kOk, "<|inner_prefix|>Maybe @B?<|inner_suffix|>@A"},
    {kOk, "Here is my thought process:\nMaybe @B?\nHere is my response:\n@A"},
    {kOk,
     "<|channel|>analysis<|message|>Maybe @B?<|end|><|start|>assistant<|channel|>final"
     "<|message|>@A<|return|>"},
    {kOk,
     "<|channel|>analysis<|message|>Maybe @B?<|end|><|start|>assistant<|channel|>final "
     "<|constrain|>JSON<|message|>@A"},
    {kOk, "<|channel|>final<|message|>@A"},
    {kOk, "<|channel|>analysis Maybe @B. final<|message|>@A"},
    {kOk,
     "<|channel|>analysis<|message|>Maybe @B<|end|><|start|>assistant<|channel|>commentary "
     "to=functions.answer <|constrain|>json<|message|>@A<|call|>"},
    {kOk,
     "<|channel|>analysis<|message|>@B<|end|><|start|>assistant<|channel|>commentary"
     "<|message|>I will answer @b.<|end|><|start|>assistant<|channel|>final<|message|>@A"},
    {kOk, "analysisWe might say @B, or @b.assistantfinal@A"},
    {kOk, "```thinking\nMaybe @b.\n```\n@A"},
    {kOk, "```reasoning\nMaybe @B\n```\n@A"},
    {kOk, "```thought\nMaybe @B\n```@A"},
    {kOk, "<think>one</think><think>@B</think>@A"},
    {kOk, "<think>one</think>\n<reasoning>@B</reasoning>\n@A"},
    // A thought and nothing that is an answer.
    {kAgain, "[THINK]Maybe @B?[/THINK] I choose @a."},
    {kAgain, "<think>Maybe @B?</think> I choose @a."},
    {kAgain, "<reasoning>@B</reasoning> My answer is @a."},
    {kAgain, "<analysis>@B</analysis>@a"},
    {kAgain, "\u25c1think\u25b7@B\u25c1/think\u25b7I say @a."},
    {kAgain, "```thinking\nMaybe @B\n```\nI say @a."},
    {kAgain,
     "<|channel|>analysis<|message|>Maybe @B<|end|><|start|>assistant<|channel|>final"
     "<|message|>I say @a.<|return|>"},
    {kAgain, "<|channel|>analysis Maybe @B final<|message|>I say @a."},
    {kAgain, "analysisMaybe @B.assistantfinalI say @a."},
    {kEmpty, "<think>Maybe @B?</think>"},
    {kEmpty, "<think>@B</think>"},
    {kEmpty, "@B</think>"},
    {kEmpty, "[THINK]@B[/THINK]"},
    {kEmpty, "<|channel|>analysis<|message|>Maybe @B"},
    {kEmpty, "<|channel|>analysis<|message|>@B<|end|>"},
    {kEmpty, "analysisWe could say @B"},
    // One without an end: what stands in it is a draft, unless it is all that there is.
    {kEmpty, "<think>Maybe @B?"},
    {kEmpty, "<think>Maybe @B"},
    {kEmpty, "<thinking>I had @B in mind, then @A"},
    {kEmpty, "[THINK]Maybe @B"},
    {kEmpty, "\u25c1think\u25b7Maybe @B"},
    {kEmpty, "<reasoning>Maybe @B"},
    {kEmpty, "```thinking\nMaybe @B"},
    {kEmpty, "<think>a</think><think>@B or"},
    {kEmpty, "@A\n<think>Was that right? @b"},
    {kRepaired, "<think>\n@A"},
    {kRepaired, "<think>@A\n\n"},
    {kRepaired, "[THINK]@A"},

    // Fences, tags, tokens and markup are no words.
    {kRepaired, "```json\n@A\n```"},
    {kRepaired, "```\n@A\n```"},
    {kRepaired, "```JSON\n@A```"},
    {kRepaired, "```json\n@A"},
    {kRepaired, "@A\n```"},
    {kRepaired, "`@A`"},
    {kRepaired, "**@A**"},
    {kRepaired, "\\boxed{@A}"},
    {kRepaired, "<answer>@A</answer>"},
    {kRepaired, "<answer>\n```json\n@A\n```\n</answer>"},
    {kRepaired, "<final_answer>@A</final_answer>"},
    {kRepaired, "<output>@A</output>"},
    {kRepaired, "<response>@A</response>"},
    {kRepaired, "<json>\n@A\n</json>"},
    {kRepaired, "[@A]"},
    {kRepaired, "@A<|im_end|>"},
    {kRepaired, "@A<|eot_id|>"},
    {kRepaired, "@A</s>"},
    {kRepaired, "@A<|endoftext|>"},
    {kRepaired, "@A<end_of_turn>"},
    {kRepaired, "@A<\uff5cend\u2581of\u2581sentence\uff5c>"},
    {kRepaired, "<|im_start|>@A"},
    // A server that did not stop it: what comes after its turn is nobody's.
    {kRepaired, "@A<|im_end|>\n<|im_start|>user\nNow @b.<|im_end|>\n<|im_start|>assistant\n@B"},
    {kRepaired, "@A</s>[INST] And now? [/INST] @B"},
    {kRepaired, "@A<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nNow @B"},
    {kRepaired, "<think>x</think>\n```json\n@A\n```"},
    {kRepaired, "@S"},

    // Calls of tools that the server did not read: Hermes, Qwen, Llama, Mistral, DeepSeek, Kimi.
    {kRepaired, "<tool_call>{\"name\": \"answer\", \"arguments\": @A}</tool_call>"},
    {kRepaired, "<tool_call>\n{\"name\": \"answer\", \"arguments\": @A}\n</tool_call>"},
    {kRepaired, "{\"name\": \"answer\", \"arguments\": @A}"},
    {kRepaired, "{\"name\": \"answer\", \"parameters\": @A}"},
    {kRepaired, "{\"name\": \"answer\", \"arguments\": @S}"},
    {kRepaired, "{\"type\": \"function\", \"name\": \"answer\", \"parameters\": @A}"},
    {kRepaired,
     "{\"type\": \"function\", \"function\": {\"name\": \"answer\", \"arguments\": @A}}"},
    {kRepaired, "{\"tool_call\": {\"name\": \"answer\", \"arguments\": @A}}"},
    {kRepaired, "<|python_tag|>{\"name\": \"answer\", \"parameters\": @A}"},
    {kRepaired, "<function=answer>@A</function>"},
    {kRepaired, "[TOOL_CALLS][{\"name\": \"answer\", \"arguments\": @A}]"},
    {kInWords, "[TOOL_CALLS]answer@A"},
    {kInWords,
     "<|tool_calls_section_begin|><|tool_call_begin|>functions.answer:0"
     "<|tool_call_argument_begin|>@A<|tool_call_end|><|tool_calls_section_end|>"},
    {kInWords,
     "<\uff5ctool\u2581calls\u2581begin\uff5c><\uff5ctool\u2581call\u2581begin\uff5c>"
     "function<\uff5ctool\u2581sep\uff5c>answer\n```json\n@A\n```<\uff5ctool\u2581call"
     "\u2581end\uff5c>"},
    // Inside another object.
    {kRepaired, "{\"answer\": @A}"},
    {kRepaired, "{\"final_answer\": @A}"},
    {kRepaired, "{\"Final Answer\": @A}"},
    {kRepaired, "{\"response\": @A}"},
    {kRepaired, "{\"output\": @A}"},
    {kRepaired, "{\"result\": @A}"},
    {kRepaired, "{\"answer\": @S}"},
    {kRepaired, "{\"answer\": {\"final_answer\": @A}}"},
    {kAgain, "{\"draft\": @B}"},
    {kAgain, "{\"opponent\": @B}"},
    {kAgain, "{\"example\": @B, \"note\": \"not mine\"}"},
    {kAgain, "{\"answers\": [@A, @B]}"},

    // Words that lead to it.
    {kInWords, "Sure:\n```json\n@A\n```"},
    {kInWords, "Sure! Here is my answer:\n\n@A"},
    {kInWords, "Here's the JSON:\n@A"},
    {kInWords, "Here is my answer in the requested format:\n```json\n@A\n```"},
    {kInWords, "Here is the JSON in the required format: @A"},
    {kInWords, "My answer: @A"},
    {kInWords, "Answer: @A"},
    {kInWords, "Final answer: @A"},
    {kInWords, "**Final Answer:** @A"},
    {kInWords, "### Answer\n\n@A"},
    {kInWords, "Output:\n@A"},
    {kInWords, "I choose @a.\n\n@A"},
    {kInWords, "I thought about @b, then about @a.\n\n@A"},
    {kInWords, "My value is high. The best reply is @a.\n@A"},
    {kInWords, "Let me think step by step.\n1. One thing.\n2. Another.\n\nSo my answer is:\n@A"},
    {kInWords, "The others will go to @b, so I answer @A"},
    {kInWords, "I will answer with @A"},
    {kInWords, "I'd say: @A"},
    {kInWords, "Therefore: @A"},
    {kInWords, "Meine Antwort: @A"},
    {kInWords, "Hier ist meine Antwort:\n@A"},
    {kInWords, "Ich antworte: @A"},
    {kInWords, "\u6211\u7684\u56de\u7b54\uff1a@A"},
    {kInWords, "\u4ee5\u4e0b\u662f\u6211\u7684\u7b54\u6848\uff1a\n@A"},
    {kInWords, "Ma r\u00e9ponse : @A"},
    {kInWords, "Mi respuesta: @A"},
    {kInWords, "{\"reasoning\": \"because\"}\n@A\n\nThis is my final answer."},
    {kInWords, "@A\n\nThis is my final answer."},
    {kInWords, "@A\n\nReasoning: it keeps a margin."},
    {kInWords, "@A\n\nI chose @a because it is safe."},
    {kInWords, "```json\n@A\n```\n\nThis keeps a good margin."},
    {kInWords, "```json\n@A\n```\n**Explanation:** it is the dominant strategy."},
    {kInWords, "@A\n\n1. It is safe.\n2) It is cheap."},
    {kInWords, "Answer:\n```json\n@A\n```\nThis is the best that I can do."},
    {kInWords, "@A That is, @A"},
    {kInWords, "My answer is @A\n\nFinal answer: @A"},
    {kInWords, "> You said: @B\n\n@A\n\nThis is my answer."},
    {kInWords, "I answer\n@A<|im_end|>"},

    // Two that differ.
    {kAgain, "@A @B"},
    {kAgain, "@B\n@A"},
    {kAgain, "@A or @B"},
    {kAgain, "Either @A or @B."},
    {kAgain, "First I thought @B. Then: @A"},
    {kAgain, "```json\n@B\n```\nNo, rather:\n```json\n@A\n```"},
    {kAgain, "[@A, @B]"},
    {kAgain, "<answer>@B</answer> <answer>@A</answer>"},
    {kAgain, "{\"answer\": @A}\n{\"answer\": @B}"},

    // Examples.
    {kAgain, "For example: @B"},
    {kAgain, "For example, @B would be a legal answer. What would you like me to do?"},
    {kAgain, "An answer looks like @B"},
    {kAgain, "The format is @B"},
    {kAgain, "Format: @B"},
    {kAgain, "e.g. @B"},
    {kAgain, "Here is an example of the format: @B"},
    {kAgain, "A sample answer:\n```json\n@B\n```"},
    {kAgain, "@B is an example of a legal answer."},
    {kAgain, "@B (for instance)"},
    {kAgain, "Something like @B"},
    {kAgain, "I need more information, such as @B"},
    {kAgain, "Zum Beispiel: @B"},
    {kAgain, "\u4f8b\u5982\uff1a@B"},
    {kAgain, "\u793a\u4f8b\uff1a\n@B"},
    {kAgain, "Par exemple : @B"},
    {kAgain, "Por ejemplo: @B"},
    // Somebody else's.
    {kAgain, "Betty will answer @B; I answer with one more than she does."},
    {kAgain, "Betty will answer @B"},
    {kAgain, "I expect Betty to answer @B"},
    {kAgain, "My opponent will say @B"},
    {kAgain, "They would answer @B"},
    {kAgain, "Everybody else: @B"},
    {kAgain, "@B is what a naive player would say. I pass."},
    {kAgain, "@B is what Betty will say."},
    {kAgain, "> @B\n\nThat was my last answer. Now @a."},
    {kAgain, "> @B"},
    {kAgain, "> My last answer: @B\n\nI keep to that."},
    {kAgain, "Betty's last answer was:\n\n@B"},
    {kAgain, "In the previous round I said @B"},
    {kAgain, "My last answer was @B"},
    // Not meant.
    {kAgain, "I would never answer @B here."},
    {kAgain, "I would never answer @B"},
    {kRefused, "I will not answer @B"},
    {kAgain, "Not @B"},
    {kAgain, "If I were greedy, I'd say @B"},
    {kAgain, "Suppose I say @B"},
    {kAgain, "I could answer @B"},
    {kAgain, "Maybe @B"},
    {kAgain, "Maybe @B?"},
    {kAgain, "What about @B?"},
    {kAgain, "Is @B allowed?"},
    {kAgain, "@B?"},
    {kAgain, "I was tempted to say @B"},
    {kAgain, "I considered @B"},
    {kAgain, "Instead of @B I'll take @a."},
    {kAgain, "Rather than @B, @a."},
    {kAgain, "Ich w\u00fcrde nie @B sagen."},
    {kAgain, "Ich sage nicht @B"},
    {kAgain, "\u6211\u4e0d\u4f1a\u56de\u7b54@B"},
    {kAgain, "\u5982\u679c\u6211\u56de\u7b54@B"},
    // Taken back.
    {kAgain, "@B Wait, I meant @a."},
    {kAgain, "@B\n\nActually, @a."},
    {kAgain, "@B No, @a."},
    {kAgain, "@B\nCorrection: @a"},
    {kAgain, "@B Hmm, that is too low."},
    {kAgain, "@B\n\nOn second thought, I'd rather say something else."},
    {kAgain, "@B is wrong."},
    {kAgain, "@B was my first idea."},
    {kAgain, "@B Just kidding."},
    {kAgain, "@B I pass."},
    {kAgain, "@B Nein, @a."},
    {kAgain, "@B \u4e0d\u5bf9\uff0c@a\u3002"},
    {kAgain, "@B\n\nI answer @a."},
    {kAgain, "@B ... my final answer is @a."},
    {kAgain, "```json\n@B\n```\nThen again, @a is better."},
    {kAgain, "Answer: @B\n\nThis could be @a as well."},
    // In the middle of a sentence.
    {kAgain, "I will say @B and see what happens."},
    {kAgain, "With @B I keep a margin, which is fine."},
    {kAgain, "My thoughts on @B and other things."},
    // Words that lead to no answer of one's own, whatever else they are.
    {kAgain, "Initial guess: @B"},
    {kAgain, "Betty bid @B"},
    {kAgain, "The winner bid @B"},
    {kAgain, "The lowest legal answer is @B"},
    {kAgain, "Reply in the form @B"},
    {kAgain, "A bad answer: @B"},
    {kAgain, "A greedy answer: @B"},
    {kAgain, "Bob's proposal: @B"},
    {kAgain, "The counteroffer I fear is @B"},
    {kAgain, "I reject @B"},
    {kAgain, "I turn down @B"},
    {kAgain, "Later I will say @B"},
    {kAgain, "Worst case: @B"},
    {kAgain, "The offer to me is @B"},
    {kAgain, "Options:\n- @B"},
    {kAgain, "~~@B~~"},
    {kAgain, "As an AI language model I do not negotiate. @B"},
    {kAgain, "As an AI language model I do not negotiate.\n\n@B"},
    {kAgain, "I do not negotiate.\n\n@B"},
    {kAgain, "I choose @a. @B"},
    {kAgain, "I choose @a.\n\n@B"},
    {kAgain, "My answer is @a:\n@B"},
    {kAgain, "@B\n\nI will not send this."},
    {kAgain, "@B\n\nPlease fill in the actual values."},
    {kAgain, "@B\n\nLet me know the other side's answer."},
    {kAgain, "@B\n\nPlease tell me the value so that I can choose."},
    {kAgain, "Betty will say <answer>@B</answer>"},
    {kInWords, "Given what was said, my final offer is @A"},
    {kInWords, "My bid is @a: @A"},
    {kInWords, "I will go with the following answer: @A"},
    {kInWords, "@A\n\nGood luck to all!"},
    {kInWords, "Sure thing!\n@A\nGood luck to all!"},

    // In a tag or a fence that says that it is no answer.
    {kEmpty, "<plan>@B</plan>"},
    {kEmpty, "<draft>@B</draft>"},
    {kEmpty, "<cot>@B</cot>"},
    {kEmpty, "<draft>@B"},
    {kAgain, "<example>@B</example>"},
    {kAgain, "```plan\n@B\n```"},
    {kAgain, "```example\n@B\n```"},
    {kEmpty, "```thinking\n@B\n```"},
    {kEmpty, "~~~thinking\n@B\n~~~"},
    {kRepaired, "~~~json\n@A\n~~~"},
    {kOk, "~~~thinking\n@B\n~~~\n@A"},
    {kOk, "<plan>@B</plan>\n@A"},
    {kOk, "<draft>@B</draft>@A"},
    {kOk, "<details><summary>Thinking</summary>@B</details>\n\n@A"},
    {kOk, "assistantanalysis @B assistantfinal @A"},

    // Thoughts as members of another object, and what is said of an answer in others.
    {kRepaired, "{\"thinking\": @B, \"answer\": @A}"},
    {kRepaired, "{\"thought\": \"@a\", \"final_answer\": @A}"},
    {kAgain, "{\"thinking\": @B}"},
    {kAgain, "@B\n{\"note\": \"I mean @a\"}"},

    // Refused.
    {kRefused, "I'm not able to gamble, but here is a format example: @B"},
    {kRefused, "I'm sorry, I can't help with that. @B"},
    {kRefused, "I cannot assist with gambling. The JSON is: @B"},
    {kRefused, "@B\n\nI can't participate in this."},
    {kRefused, "As an AI I am not able to participate. A placeholder: @B"},
    {kRefused, "Dabei kann ich nicht helfen. @B"},
    {kRefused, "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u534f\u52a9\u3002@B"},
    {kRefused, "I'm sorry, but I can't assist with that request."},
    // No object at all.
    {kAgain, "I choose @a."},
    {kAgain, "@a, definitely."},
    {kEmpty, ""},
    {kEmpty, " \n\t"},
    {kEmpty, "<|im_end|>"},
};

std::string replaced(std::string text, const std::string& name, const std::string& with) {
  for (std::size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + with.size()))
    text.replace(at, name.size(), with);
  return text;
}

std::string form_of(const Form& form, const Game& game) {
  std::string said = form.said;
  said = replaced(said, "@S", JsonWriter().text(game.answer).take());
  said = replaced(said, "@A", game.answer);
  said = replaced(said, "@B", game.other);
  said = replaced(said, "@a", game.said);
  return replaced(said, "@b", game.other_said);
}

OwnedQuestion question(const Game& game) {
  OwnedQuestion q;
  q.answer_type = &game.type;
  q.seat_names = {"Anna", "Betty"};
  return q;
}

/// JSON in one form.
std::string levelled(const std::string& json) {
  return boost::json::serialize(boost::json::parse(json));
}

TEST_CASE("no reply is read as an answer that was not given") {
  std::size_t cases = 0;
  for (const Game& game : games())
    for (const Form& form : kForms) {
      const std::string said = form_of(form, game);
      INFO(said);
      const ModelAnswer answer = llm::read_answer(question(game), said);
      INFO(answer.problem);
      ++cases;
      CHECK(answer.fault == form.fault);
      CHECK(is_played(answer.fault) != answer.json.empty());
      if (is_played(answer.fault)) CHECK(levelled(answer.json) == levelled(game.answer));
    }
  CHECK(cases > 1000);
}

/// A reply to one game, what it is read as, and the answer.
struct Reply {
  Fault fault;
  const char* said;
  const char* answer;
};

/// Words, numbers and units of one question: what is bid, of 0 to 100 whole euros.
constexpr Reply kReplies[] = {
    {kOk, R"({"bid": 58})", R"({"bid":58})"},
    {kRepaired, R"({"bid": "58"})", R"({"bid":58})"},
    {kRepaired, R"({"bid": "58 euros"})", R"({"bid":58})"},
    {kRepaired, R"({"bid": "58 EUR"})", R"({"bid":58})"},
    {kRepaired, "{\"bid\": \"\u20ac58\"}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": \"58 \u20ac\"}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": \u20ac58}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": 58\u20ac}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": 58 euros}", R"({"bid":58})"},
    {kAgain, R"({"bid": "$58"})", ""},
    {kAgain, R"({"bid": $58})", ""},
    {kAgain, R"({"bid": "58 dollars"})", ""},
    {kAgain, R"({"bid": "58 USD"})", ""},
    {kAgain, "{\"bid\": \"\u00a358\"}", ""},
    {kAgain, R"({"bid": "58 points"})", ""},
    {kAgain, R"({"bid": "58%"})", ""},
    {kRepaired, "{\"bid\": \uff15\uff18}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": \"\uff15\uff18\"}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": \"+58\"}", R"({"bid":58})"},
    {kRepaired, R"({"bid": {"bid": 58}})", R"({"bid":58})"},
    {kRepaired, R"({"bid": {"amount": 58}})", R"({"bid":58})"},
    {kRepaired, R"({"bid": {"value": "58"}})", R"({"bid":58})"},
    {kAgain, R"({"bid": {"low": 12, "high": 58}})", ""},
    {kAgain, R"({"bid": {"other": 12}})", ""},
    {kRepaired, "{\"bid\": 58 // what I can afford\n}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": 58 /* what I can afford */}", R"({"bid":58})"},
    {kRepaired, "{\"bid\": 58 # what I can afford\n}", R"({"bid":58})"},
    {kRepaired, "{ // the answer\n\"bid\": 58}", R"({"bid":58})"},
    {kAgain, "{\"bid\": 12 /* no, 58 */}", ""},
    {kAgain, "{\"bid\": 12 // example\n, // wait\n}", ""},
    {kAgain, R"({"bid": 12, "bid": 58})", ""},
    {kAgain, R"({"bid": 12, "Bid": 58})", ""},
    {kAgain, R"({"bid": "12 or 58"})", ""},
    {kAgain, R"({"bid": "about 58"})", ""},
    {kAgain, R"({"bid": 1.2k})", ""},
    {kAgain, R"({"bid": NaN})", ""},
    {kAgain, R"({"bid": null})", ""},
    {kAgain, R"({"bid": [12, 58]})", ""},
    {kAgain, R"({"bid": 58)", ""},
    {kAgain, R"({"bid": )", ""},
    {kAgain, R"({"bids": 58})", ""},
    {kAgain, "bid: 58", ""},
    {kAgain, "58", ""},
    {kAgain, "[58]", ""},
    {kAgain, "<bid>58</bid>", ""},
    {kAgain, "<tool_call>answer\n<arg_key>bid</arg_key><arg_value>58</arg_value></tool_call>", ""},
    {kAgain, "<function=answer><parameter=bid>58</parameter></function>", ""},
    // Numbers that cannot be another bid are none: over the bound, in parts, of points, in percent.
    {kInWords, R"({"bid": 58} I value it at 640.)", R"({"bid":58})"},
    {kInWords, R"({"bid": 58} This is 90% of what it is worth to me.)", R"({"bid":58})"},
    {kInWords, R"({"bid": 58} I get 64.44 for it.)", R"({"bid":58})"},
    {kInWords, R"({"bid": 58} My bid is 58.)", R"({"bid":58})"},
    {kAgain, R"({"bid": 12} My bid is 58.)", ""},
    {kAgain, R"({"bid": 58} The value is 64.)", ""},
    {kAgain, R"({"bid": 12} My bid is fifty-eight.)", ""},
    {kAgain, "{\"bid\": 12} \u6211\u51fa\uff15\uff18\u3002", ""},
    {kAgain, R"({"bid": 12} I bid 58 euros.)", ""},
    {kAgain, R"(Bid: {"bid": 12} (not 58))", ""},
    {kAgain, R"({"bid": 12}, {"bid": 58})", ""},
    {kAgain, R"(I bid 58. {"bid": 12})", ""},
    {kAgain, "I bid 58.\n{\"bid\": 12}", ""},
    {kAgain, R"(My bid is fifty-eight. {"bid": 12})", ""},
    {kAgain, "I bid half my value, i.e. 58.\n\n{\"bid\": 12}", ""},
    {kInWords, "My value is 64.\n\n{\"bid\": 58}", R"({"bid":58})"},
    {kAgain, "{\"bid\": 12}\n{\"note\": \"the real bid is 58\"}", ""},
    {kInWords, "{\"reasoning\": \"the value is 64\"}\nMy bid: {\"bid\": 58}", R"({"bid":58})"},
    {kAgain, R"({"bid": 12, "comment": "placeholder, real bid is 58"})", ""},
    {kAgain, R"({"example": true, "bid": 12})", ""},
    {kAgain, R"({"bid": 12, "final": false})", ""},
    {kRepaired, R"({"bid": 58, "final": true, "reasoning": "the value is 64"})", R"({"bid":58})"},
    {kAgain, R"(Charles bid {"bid": 12})", ""},
    {kAgain, R"({"bid": 12} The rest is up to Charles.)", ""},
    // "Mark" is a name, and the other seat's.
    {kAgain, R"({"bid": 12} Mark knows it too.)", ""},
    {kAgain, R"(Mark bids {"bid": 12})", ""},
};

TEST_CASE("numbers and units of an answer, and of the words around it") {
  for (const Reply& reply : kReplies) {
    INFO(reply.said);
    OwnedQuestion q;
    q.answer_type = &type_of<Bid>();
    q.facts_json = R"({"currency": "euros"})";
    q.seat_names = {"Anna", "Mark", "Bidder Charles"};
    const LimitData limits[] = {{.slot = 0, .kind = LimitKind::range, .lo = 0, .hi = 100}};
    q.limits = OwnedLimits(limits);
    const ModelAnswer answer = llm::read_answer(q, reply.said);
    INFO(answer.problem);
    CHECK(answer.fault == reply.fault);
    if (*reply.answer != '\0') CHECK(levelled(answer.json) == reply.answer);
  }
}

TEST_CASE("one rule for units: the currency of the game, as word and sign, and no other") {
  const auto number = [](std::string_view text, std::string_view unit) {
    return read_number_text(text, unit).json;
  };
  for (const char* text : {"$58", "58$", "58 dollars", "58 dollar", "58 USD", "US$58", "USD 58"})
    CHECK(number(text, "dollars") == "58");
  for (const char* text : {"\u20ac58", "58 euros", "58 Euro", "EUR 58"})
    CHECK(number(text, "euros") == "58");
  for (const char* text : {"\u00a558", "58 yen", "58\u5186", "JPY 58"})
    CHECK(number(text, "yen") == "58");
  for (const char* text : {"58 roubles", "58 rubles", "58\u20bd"})
    CHECK(number(text, "roubles") == "58");
  for (const char* text : {"\u20b958", "Rs. 58", "58 rupees"})
    CHECK(number(text, "rupees") == "58");
  CHECK(number("-$58", "dollars") == "-58");
  CHECK(number("$-58", "dollars") == "-58");
  CHECK(number("\u221258", "dollars") == "-58");
  CHECK(number("\uff0d\uff15\uff18\uff0e\uff15", "dollars") == "-58.5");
  for (const char* unit : {"euros", "yen", "coins", ""}) {
    INFO(unit);
    CHECK(number("$58", unit).empty());
    CHECK(number("58 dollars", unit).empty());
  }
  CHECK(number("58 euros", "dollars").empty());
  CHECK(number("58 coins", "coins") == "58");
}

TEST_CASE("an answer that was cut off is whole where nothing but blanks can be missing") {
  CHECK(llm::is_complete("{\"bid\": 58}"));
  CHECK(llm::is_complete("{\"bid\": 58}\n   \n\n"));
  CHECK(llm::is_complete("so <answer>{\"bid\": 58}</Answer>\n "));
  for (const char* cut : {"", "{\"bid\": 5", "{\"bid\": 58} becau", "I say {\"bid\": 58}",
                          "<answer>{\"bid\": 58}", "{\"bid\": 58} {"})
    CHECK_FALSE(llm::is_complete(cut));
}

}  // namespace llm_replies_test
