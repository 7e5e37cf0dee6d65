"""A provider that runs a library in the process of this file: any library that Python has. This one writes
answers by the schema of the request, so that it runs without weights.

    agon run suite.json --plugin bidder.py --plugin local.py --report

With llama-cpp-python it would be, with the weights beside this file:

    from llama_cpp import Llama
    model = Llama(os.path.join(os.path.dirname(__file__), "weights.gguf"), n_ctx=8192)

    def complete(request):
        return model.create_chat_completion(request["messages"], max_tokens=request.get("max_tokens"))
"""
import json

import agon_arena as agon


def complete(request):
    wanted = request.get("response_format", {}).get("json_schema", {}).get("schema")
    if wanted is None:
        return "I go on as before."
    if wanted.get("type") != "object":
        raise ValueError("this model writes objects alone")
    return json.dumps(agon.least(wanted))


agon.provider("local", complete, "Answers with the least that the rules allow, in process.")
