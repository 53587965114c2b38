/** Minimal ChatML. */
export const chatmlTemplate =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

/** ChatML with branches for tools and thinking, as in many recent models. */
export const toolsTemplate = `{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n\\n<tools>" }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "\\n</tools>\\n\\nReturn a JSON object within <tool_call></tool_call> tags.<|im_end|>\\n" }}
{%- elif messages[0].role == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content %}
        {%- if '</think>' in content and not loop.last %}{%- set content = content.split('</think>')[-1].lstrip('\\n') %}{%- endif %}
        {{- '<|im_start|>' + message.role + '\\n' + content }}
        {%- if message.tool_calls %}
            {%- for tool_call in message.tool_calls %}
                {%- if tool_call.function %}{%- set tool_call = tool_call.function %}{%- endif %}
                {{- '\\n<tool_call>\\n{"name": "' + tool_call.name + '", "arguments": ' }}{{- tool_call.arguments | tojson }}{{- '}\\n</tool_call>' }}
            {%- endfor %}
        {%- endif %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

/** No system role, and an error unless user and assistant alternate. */
export const alternatingTemplate = `{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{%- endif %}
{%- for message in messages %}
    {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}{%- endif %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content | trim + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`

/** A template whose generation prompt opens a thinking block that past turns do not have. */
export const thinkingTemplate =
  "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' }}" +
  "{%- if message.role == 'assistant' %}{{- message.content.split('</think>')[-1] }}{%- else %}{{- message.content }}{%- endif %}" +
  "{{- '<|im_end|>\\n' }}{%- endfor %}" +
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}"

/** ChatML as in Qwen 3: results share one user turn, and thinking before the last question is dropped from replies. */
const qwen3 = String.raw`{%- if messages[0].role == 'system' %}{{- '<|im_start|>system\n' + messages[0].content }}
    {%- if tools %}{{- '\n\n# Tools\n<tools>' }}{%- for tool in tools %}{{- '\n' }}{{- tool | tojson }}{%- endfor %}{{- '\n</tools>' }}{%- endif %}
    {{- '<|im_end|>\n' }}
{%- endif %}
{%- set last = namespace(question=-1) %}
{%- for message in messages %}
    {%- if message.role == 'user' and not message.content.startswith('<tool_response>') %}{%- set last.question = loop.index0 %}{%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.role == 'user' %}
        {{- '<|im_start|>user\n' + message.content + '<|im_end|>\n' }}
    {%- elif message.role == 'assistant' %}
        {%- set thought = message.content.split('</think>')[0] if '</think>' in message.content else '' %}
        {{- '<|im_start|>assistant\n' }}
        {%- if loop.index0 > last.question and (loop.last or thought) %}{{- '<think>\n' + thought + '\n</think>\n\n' }}{%- endif %}
        {{- message.content.split('</think>')[-1] }}
        {%- for call in message.tool_calls or [] %}
            {{- '\n<tool_call>\n' }}{{- call.function | tojson }}{{- '\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\n' }}
    {%- elif message.role == 'tool' %}
        {%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}
        {{- '\n<tool_response>\n' + message.content + '\n</tool_response>' }}
        {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\n' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}`

/** Llama 3.1: results are “ipython” turns, written as JSON because a string is iterable. */
const llama3 = String.raw`{{- bos_token }}
{%- if messages[0].role == 'system' %}{%- set system = messages[0].content | trim %}{%- set messages = messages[1:] %}{%- else %}{%- set system = '' %}{%- endif %}
{{- '<|start_header_id|>system<|end_header_id|>\n\n' }}
{%- if tools %}{{- 'Environment: ipython\n' }}{%- endif %}
{{- 'Cutting Knowledge Date: December 2023\n\n' + system + '<|eot_id|>' }}
{%- for message in messages %}
    {%- if message.role in ['tool', 'ipython'] %}
        {{- '<|start_header_id|>ipython<|end_header_id|>\n\n' }}
        {%- if message.content is mapping or message.content is iterable %}{{- message.content | tojson }}{%- else %}{{- message.content }}{%- endif %}
        {{- '<|eot_id|>' }}
    {%- elif 'tool_calls' in message %}
        {%- if message.tool_calls | length != 1 %}{{- raise_exception('One call at a time') }}{%- endif %}
        {%- set call = message.tool_calls[0].function %}
        {{- '<|start_header_id|>assistant<|end_header_id|>\n\n{"name": "' + call.name + '", "parameters": ' }}{{- call.arguments | tojson }}{{- '}<|eot_id|>' }}
    {%- else %}
        {{- '<|start_header_id|>' + message.role + '<|end_header_id|>\n\n' + message.content | trim + '<|eot_id|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{%- endif %}`

/**
 * Gemma 3: the system prompt goes before the first question, replies have the role “model”, and other roles are
 * rejected.
 */
const gemma3 = String.raw`{{ bos_token }}
{%- set prefix = '' %}
{%- if messages[0].role == 'system' %}{%- set prefix = messages[0].content + '\n\n' %}{%- set messages = messages[1:] %}{%- endif %}
{%- for message in messages %}
    {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}{%- endif %}
    {{- '<start_of_turn>' + ('model' if message.role == 'assistant' else message.role) + '\n' }}
    {{- (prefix if loop.first else '') + (message.content | trim) + '<end_of_turn>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<start_of_turn>model\n' }}{%- endif %}`

/** Gemma 4: results are inside the model’s own turn, which continues after them. */
const gemma4 = String.raw`{{ bos_token }}
{%- set state = namespace(within=false) %}
{%- for message in messages %}
    {%- if message.role == 'tool' %}
        {{- '<|tool_response>response:' + (message.name or 'unknown') + '{value:<|"|>' + message.content + '<|"|>}<tool_response|>' }}
        {%- set state.within = true %}
    {%- else %}
        {%- if not (state.within and message.role == 'assistant') %}
            {{- '<|turn>' + ('model' if message.role == 'assistant' else message.role) + '\n' }}
        {%- endif %}
        {%- set state.within = false %}
        {{- message.content | trim }}
        {%- for call in message.tool_calls or [] %}{{- '<|tool_call>call:' + call.function.name + '{}<tool_call|>' }}{%- endfor %}
        {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<turn|>\n' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt and not state.within %}{{- '<|turn>model\n' }}{%- endif %}`

/** Mistral 7B v0.3 and Nemo: strict role order, ids of nine characters, the system prompt before a question. */
const mistral = String.raw`{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- set talk = messages[1:] %}{%- else %}{%- set talk = messages %}{%- endif %}
{%- set turn = namespace(index=0) %}
{%- for message in talk %}
    {%- if not (message.role == 'tool' or message.tool_calls is defined) %}
        {%- if (message.role == 'user') != (turn.index % 2 == 0) %}{{- raise_exception('Conversation roles must alternate') }}{%- endif %}
        {%- set turn.index = turn.index + 1 %}
    {%- endif %}
{%- endfor %}
{{- bos_token }}
{%- for message in talk %}
    {%- if message.role == 'user' %}
        {%- if loop.last and system is defined %}{{- '[INST] ' + system + '\n\n' + message.content + '[/INST]' }}{%- else %}{{- '[INST] ' + message.content + '[/INST]' }}{%- endif %}
    {%- elif message.tool_calls is defined %}
        {{- '[TOOL_CALLS] [' }}
        {%- for call in message.tool_calls %}
            {%- if call.id | length != 9 %}{{- raise_exception('Ids have nine letters and digits') }}{%- endif %}
            {{- (call.function | tojson)[:-1] + ', "id": "' + call.id + '"}' + (']' if loop.last else ', ') }}
        {%- endfor %}
        {{- eos_token }}
    {%- elif message.role == 'assistant' %}
        {{- ' ' + message.content | trim + eos_token }}
    {%- elif message.role == 'tool' %}
        {%- if message.tool_call_id | length != 9 %}{{- raise_exception('Ids have nine letters and digits') }}{%- endif %}
        {{- '[TOOL_RESULTS] {"content": ' + message.content + ', "call_id": "' + message.tool_call_id + '"}[/TOOL_RESULTS]' }}
    {%- endif %}
{%- endfor %}`

/** Phi-4 (14B): no mention of tools; other roles are dropped. */
const phi4 = String.raw`{% for message in messages %}
    {%- if message.role in ['system', 'user', 'assistant'] %}{{- '<|im_start|>' + message.role + '<|im_sep|>' + message.content + '<|im_end|>' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant<|im_sep|>' }}{%- endif %}`

/** Phi-4-mini: every role is written with its name. */
const phi4Mini = String.raw`{% for message in messages %}
    {{- '<|' + message.role + '|>' + message.content }}
    {%- if message.role == 'system' and message.tools %}{{- '<|tool|>' + message.tools + '<|/tool|>' }}{%- endif %}
    {{- '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}`

/** Granite 3: roles between marks, the generation prompt inside the loop. */
const granite3 = String.raw`{%- if messages[0].role == 'system' %}{%- set talk = messages[1:] %}{%- set system = messages[0].content %}{%- else %}{%- set talk = messages %}{%- set system = 'You are Granite.' %}{%- endif %}
{{- '<|start_of_role|>system<|end_of_role|>' + system + '<|end_of_text|>\n' }}
{%- if tools %}{{- '<|start_of_role|>tools<|end_of_role|>' }}{{- tools | tojson }}{{- '<|end_of_text|>\n' }}{%- endif %}
{%- for message in talk %}
    {{- '<|start_of_role|>' + message.role + '<|end_of_role|>' + message.content + '<|end_of_text|>\n' }}
    {%- if loop.last and add_generation_prompt %}{{- '<|start_of_role|>assistant<|end_of_role|>' }}{%- endif %}
{%- endfor %}`

/** DeepSeek R1 and its distilled models: a reply starts with thinking, except after a result. */
const deepseekR1 = String.raw`{%- set state = namespace(outputs=false, first=true, system='') %}
{%- for message in messages %}{%- if message.role == 'system' %}{%- set state.system = message.content %}{%- endif %}{%- endfor %}
{{- bos_token + state.system }}
{%- for message in messages %}
    {%- if message.role == 'user' %}{%- set state.outputs = false %}{{- '<｜User｜>' + message.content }}
    {%- elif message.role == 'assistant' and message.content is none %}
        {%- for call in message.tool_calls %}{{- '<｜Assistant｜><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>' + call.type + '<｜tool▁sep｜>' + call.function.name + '<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>' }}{%- endfor %}
    {%- elif message.role == 'assistant' %}
        {{- '<｜tool▁outputs▁end｜>' if state.outputs else '<｜Assistant｜>' }}{{- message.content.split('</think>')[-1] + '<｜end▁of▁sentence｜>' }}
        {%- set state.outputs = false %}
    {%- elif message.role == 'tool' %}
        {{- '<｜tool▁outputs▁begin｜>' if not state.outputs else '\n' }}{{- '<｜tool▁output▁begin｜>' + message.content + '<｜tool▁output▁end｜>' }}
        {%- set state.outputs = true %}
    {%- endif %}
{%- endfor %}
{%- if state.outputs %}{{- '<｜tool▁outputs▁end｜>' }}{%- elif add_generation_prompt %}{{- '<｜Assistant｜><think>\n' }}{%- endif %}`

/** Command R7B: answers have marks that calls do not, and a reply starts with thinking, possibly empty. */
const commandR7b = String.raw`{{- bos_token + '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|># System Preamble\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content }}{%- endif %}{{- '<|END_OF_TURN_TOKEN|>' }}
{%- for message in messages %}
    {%- if message.role == 'user' %}
        {{- '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>' + message.content + '<|END_OF_TURN_TOKEN|>' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}
        {%- if message.tool_calls %}
            {{- '<|START_ACTION|>[\n' }}
            {%- for call in message.tool_calls %}{{- '    {"tool_call_id": "' + call.id + '", "tool_name": "' + call.function.name + '", "parameters": ' }}{{- call.arguments | tojson if call.arguments else call.function.arguments | tojson }}{{- '}' }}{%- endfor %}
            {{- '\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>' }}
        {%- else %}
            {{- '<|START_RESPONSE|>' + message.content + '<|END_RESPONSE|><|END_OF_TURN_TOKEN|>' }}
        {%- endif %}
    {%- elif message.role == 'tool' %}
        {%- if messages[loop.index0 - 1].role != 'tool' %}{{- '<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|><|START_TOOL_RESULT|>[' }}{%- else %}{{- ', ' }}{%- endif %}
        {{- '{"results": {"0": ' }}{{- message.content | tojson }}{{- '}}' }}
        {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- ']<|END_TOOL_RESULT|><|END_OF_TURN_TOKEN|>' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|><|START_THINKING|><|END_THINKING|>' }}{%- endif %}`

/** gpt-oss: channels; a result only after a call sent as data, with the name of the tool in the frame. */
const harmony = String.raw`{{- '<|start|>system<|message|>You are a language model.\n\n# Valid channels: analysis, commentary, final.<|end|>' }}
{%- if messages[0].role == 'system' %}{{- '<|start|>developer<|message|># Instructions\n\n' + messages[0].content + '<|end|>' }}{%- set messages = messages[1:] %}{%- endif %}
{%- set last = namespace(call=none) %}
{%- for message in messages %}
    {%- if message.role == 'assistant' and 'tool_calls' in message %}
        {%- set last.call = message.tool_calls[0].function %}
        {{- '<|start|>assistant to=functions.' + last.call.name + '<|channel|>commentary json<|message|>' }}{{- last.call.arguments | tojson }}{{- '<|call|>' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|start|>assistant<|channel|>final<|message|>' + message.content + ('<|return|>' if loop.last and not add_generation_prompt else '<|end|>') }}
        {%- set last.call = none %}
    {%- elif message.role == 'tool' %}
        {%- if last.call is none %}{{- raise_exception('There was no call before this result') }}{%- endif %}
        {{- '<|start|>functions.' + last.call.name + ' to=assistant<|channel|>commentary<|message|>' }}{{- message.content | tojson }}{{- '<|end|>' }}
    {%- else %}
        {{- '<|start|>user<|message|>' + message.content + '<|end|>' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}`

/** LFM2: ChatML with marks around a result. */
const lfm2 = String.raw`{{- bos_token }}
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\n' }}
    {%- if message.role == 'tool' %}{{- '<|tool_response_start|>' + message.content + '<|tool_response_end|>' }}{%- else %}{{- message.content }}{%- endif %}
    {{- '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}`

/** GLM 4.5: turns have no end mark, results are observations, and past replies start with empty thinking. */
const glm = String.raw`{{- '[gMASK]<sop>' }}
{%- for message in messages %}
    {%- if message.role == 'tool' %}
        {%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{- '<|observation|>' }}{%- endif %}
        {{- '\n<tool_response>\n' + message.content + '\n</tool_response>' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|assistant|>\n<think></think>' }}{%- if message.content %}{{- '\n' + message.content }}{%- endif %}
        {%- for call in message.tool_calls or [] %}{{- '\n<tool_call>' + call.function.name + '\n</tool_call>' }}{%- endfor %}
    {%- else %}
        {{- '<|' + message.role + '|>\n' + message.content }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}`

/** Nemotron 3 Nano: a new reply starts with open thinking, a past one with empty thinking. */
const nemotron = String.raw`{%- for message in messages %}
    {%- if message.role == 'tool' %}
        {%- if messages[loop.index0 - 1].role != 'tool' %}{{- '<|im_start|>user\n' }}{%- endif %}
        {{- '<tool_response>\n' + message.content + '\n</tool_response>\n' }}
        {%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '<|im_end|>\n' }}{%- endif %}
    {%- else %}
        {{- '<|im_start|>' + message.role + '\n' + ('<think></think>' if message.role == 'assistant' else '') + message.content }}
        {%- for call in message.tool_calls or [] %}{{- '<tool_call>\n<function=' + call.function.name + '>\n' }}{{- call.function.arguments.text }}{{- '</function>\n</tool_call>\n' }}{%- endfor %}
        {{- '<|im_end|>\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n<think>\n' }}{%- endif %}`

/**
 * Templates modelled on those of real model families, reduced to what matters here. We wrote them; the comment
 * above each names the peculiarities of the real one.
 */
export const familyTemplates = {
  qwen3,
  llama3,
  gemma3,
  gemma4,
  mistral,
  phi4,
  phi4Mini,
  granite3,
  deepseekR1,
  commandR7b,
  harmony,
  lfm2,
  glm,
  nemotron,
} as const
