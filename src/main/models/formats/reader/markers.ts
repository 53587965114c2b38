import {
  GREATER,
  LESS,
  END,
  type Input,
  type OwnMarks,
  type OwnRole,
  type Reading,
  textComesNext,
} from './reader-input.ts'

/**
 * The function of a piece of markup.
 * - `open`, `close` enclose calls; the body itself shows its notation
 * - `maybe` is a tag that weak models write instead of `open`, but that other text uses as well
 * - `raw` is `open`, or is followed by code for the tool that runs code
 * - `named` opens a call and names its tool; `parameter`, `key` and `value` contain its arguments
 * - `joint` separates name and arguments
 * - `think` encloses reasoning; `channel` precedes it, if the next word says so
 * - `frame` encloses the answer and is never shown
 * - `header` starts the header of a part of the message
 * - `stop` ends a message, and is shown only if text follows
 */
export type Role =
  | 'open'
  | 'close'
  | 'maybe'
  | 'unmaybe'
  | 'raw'
  | 'named'
  | 'unnamed'
  | 'parameter'
  | 'unparameter'
  | 'key'
  | 'unkey'
  | 'value'
  | 'unvalue'
  | 'joint'
  | 'think'
  | 'unthink'
  | 'channel'
  | 'frame'
  | 'header'
  | 'stop'

/** Fixed marks, separated by blanks, with the models that write them; as spelled by `foldMark`. */
export const WHOLE: readonly (readonly [Role, string])[] = [
  // Hermes 2 and 3, Qwen 2.5 and 3, Granite 3.1 and 4, GLM 4.5, SmolLM 3, ERNIE 4.5, most fine-tunes;
  // Nemotron.
  ['open', '<tool_call> <toolcall>'],
  ['close', '</tool_call> </toolcall>'],
  // Jamba, Hunyuan, Apriel; OLMo 3; Granite 20B; Firefunction 1; LongCat; Seed-OSS; MiniMax M2 and M3.
  ['open', '<tool_calls> <function_calls> <function_call> <functioncall> <longcat_tool_call>'],
  ['close', '</tool_calls> </function_calls> </function_call> </functioncall> </longcat_tool_call>'],
  ['open', '<seed:tool_call> <minimax:tool_call> ]<]minimax[>[<tool_call>'],
  ['close', '</seed:tool_call> </minimax:tool_call> ]<]minimax[>[</tool_call>'],
  // Small Qwen 2.5 models that do not write the right tag.
  ['maybe', '<tool> <tools> <tool_code> <tool_use> <function> <json> <xml> <response> <answer>'],
  ['unmaybe', '</tool> </tools> </tool_code> </tool_use> </json> </xml> </response> </answer>'],
  // Mistral.
  ['open', '[TOOL_CALLS] [TOOL_CALL]'],
  ['close', '[/TOOL_CALLS] [/TOOL_CALL]'],
  ['joint', '[ARGS] [CALL_ID] <|constrain|>'],
  // LFM2; Phi-4 and Granite 3.0; Command R7B; Apertus; InternLM 2; GigaChat 3.
  ['open', '<|tool_call_start|> <|tool_call|> <|start_action|> <|tools_prefix|> <|action_start|> <|plugin|>'],
  ['close', '<|tool_call_end|> <|/tool_call|> <|end_action|> <|tools_suffix|> <|action_end|>'],
  ['open', '<|function_call|>'],
  // Llama 3 and 4.
  ['raw', '<|python_tag|>'],
  ['open', '<|python_start|>'],
  ['close', '<|python_end|>'],
  // Gemma 4; FunctionGemma.
  ['open', '<|tool_call> <start_function_call>'],
  ['close', '<tool_call|> <end_function_call>'],
  // DeepSeek 3 and models distilled from it; Step 3; Kimi K2; Kimi K3.
  ['open', '<|tool_calls_begin|> <|tool_calls|> <|tool_call_begin|> <|tool_calls_section_begin|>'],
  ['close', '<|tool_calls_end|> <|tool_call_end|> <|tool_calls_section_end|>'],
  ['joint', '<|tool_sep|> <|tool_call_argument_begin|>'],
  ['open', '<|dsml|function_calls> <|dsml|tool_calls> <|open|>tools<|sep|>'],
  ['close', '</|dsml|function_calls> </|dsml|tool_calls> <|close|>tools<|sep|>'],
  // Solar Open; Hy3; Muse.
  ['open', '<|tool_call:begin|> <tool_calls:opensource> <tool_call:opensource> <atem:function_calls>'],
  ['close', '<|tool_call:end|> </tool_calls:opensource> </tool_call:opensource> </atem:function_calls>'],
  ['joint', '<|tool_call:name|> <|tool_call:args|> <tool_sep:opensource>'],
  // Marks that close named calls and their parameters. The opening marks carry names and are in `NAMING`.
  ['unnamed', '</function> </invoke> </steptml:invoke> </|dsml|invoke> ]<]minimax[>[</invoke>'],
  ['unnamed', '<|close|>call<|sep|> </atem:invoke>'],
  ['unparameter', '</parameter> </param> </argument> </steptml:parameter> </|dsml|parameter>'],
  ['unparameter', '<|close|>argument<|sep|> <|close|>json<|sep|> </atem:parameter>'],
  ['key', '<arg_key> <arg_key:opensource>'],
  ['unkey', '</arg_key> </arg_key:opensource>'],
  ['value', '<arg_value> <arg_value:opensource>'],
  ['unvalue', '</arg_value> </arg_value:opensource>'],
  // Reasoning: Qwen, DeepSeek, GLM, Nemotron; Apriel; Seed-OSS; MiniMax M3; LongCat; Mistral; Command R7B;
  // Apertus; Kimi K3.
  ['think', '<think> <thinking> <seed:think> <mm:think> <longcat_think> [THINK]'],
  ['unthink', '</think> </thinking> </seed:think> </mm:think> </longcat_think> [/THINK]'],
  ['think', '<|start_thinking|> <|inner_prefix|> <|open|>think<|sep|>'],
  ['unthink', '<|end_thinking|> <|inner_suffix|> <|close|>think<|sep|> <channel|>'],
  ['think', '<think:opensource> <|think|> <|thought_start|>'],
  ['unthink', '</think:opensource> <|thought_end|>'],
  ['channel', '<|channel>'],
  // Command R7B, Kimi K3, Apriel 1.6, Hunyuan.
  ['frame', '<|start_response|> <|end_response|> <|start_text|> <|end_text|> [BEGIN_FINAL_RESPONSE]'],
  ['frame', '<|open|>response<|sep|> <|close|>response<|sep|> <|close|>message<|sep|> [END_FINAL_RESPONSE]'],
  ['frame', '<|message|> <|role_sep|> <|content|>'],
  // gpt-oss and Muse; Functionary 2; Solar Open.
  ['header', '<|channel|> <|start|> <|recipient|> <|from|> <|begin|>'],
  // Ends of turns.
  ['stop', '</s> <eos> <bos> <end_of_turn> <turn|> <|turn> <|end|> <|return|> <|call|> <|stop|> <seed:eos>'],
  ['stop', '<|im_end|> <|im_start|> <|eot_id|> <|eom_id|> <|eot|> <|eom|> <|endoftext|> <|end_of_text|>'],
  [
    'stop',
    '<|end_of_turn_token|> <|end_of_sentence|> <|end_of_role|> <|message_sep|> <|observation|> <|user|>',
  ],
  ['stop', '<|tool_response> <tool_response|> <start_function_response> <|tool_response_start|>'],
]

/**
 * Marks that contain a name, by their start. They end with `>`, those of Kimi K3 with `<|sep|>`.
 * @internal Its property test writes texts with every mark.
 */
export const NAMING: readonly (readonly [Role, string])[] = [
  ['named', '<function= <function· <invoke· <steptml:invoke· <|dsml|invoke_ ]<]minimax[>[<invoke·'],
  ['named', '<|open|>call_ <atem:invoke·'],
  ['parameter', '<parameter= <parameter· <param= <param· <argument· <steptml:parameter· <|dsml|parameter_'],
  ['parameter', '<|open|>argument_ <atem:parameter·'],
  // All arguments of a call at once.
  ['joint', '<|open|>json_'],
]

/**
 * Normalise the next character of a mark, so that all spellings become the same: lower case, `｜` as `|`, `▁`
 * and blanks as `_`, and no backslashes in tokens. In plain tags a blank becomes `·`; marks in square
 * brackets keep their capitals.
 */
function foldMark(character: string, before: string): string {
  if (character === '▁') return '_'
  if (character === '｜') return '|'
  if (character === '\\' && before.startsWith('<|')) return ''
  if (character === ' ' || character === '\n') return /^<[^|]|^\]/.test(before) ? '·' : '_'
  return before.startsWith('[') ? character : character.toLowerCase()
}

/** A piece of markup that comes next in the input, not yet consumed. */
export type Marker = {
  role: Role
  /** As spelled by `foldMark`. */
  mark: string
  /** The name in the mark: of a tool or of a parameter. */
  name: string
  attributes: Record<string, string>
  /** Written `<function=name>`, not `<function name="name">`. */
  hasEquals: boolean
  length: number
}

const LONGEST_MARK = 64
const LONGEST_NAMING = 300

const wholeMarks = new Map(
  WHOLE.flatMap(([role, marks]) => marks.split(' ').map(mark => [mark, role] as const)),
)
const namingMarks = new Map(
  NAMING.flatMap(([role, marks]) => marks.split(' ').map(mark => [mark, role] as const)),
)
const beginnings = new Set(
  [...wholeMarks.keys(), ...namingMarks.keys()].flatMap(mark =>
    Array.from(mark, (_, index) => mark.slice(0, index + 1)),
  ),
)
const firsts = new Uint8Array(128)
for (const mark of beginnings) firsts[mark.charCodeAt(0)] = 1

/** Whether a marker can start with this character. */
export function beginsMarker(code: number, { own }: Input): boolean {
  return firsts[code] === 1 || own?.firsts.has(code) === true
}

/** The marks that only one model writes, by their role. */
export type MarksOfModel = Readonly<Record<OwnRole, readonly string[]>>

/** Collect the marks of one model, beside the tables. Blanks at the ends of a mark do not count. */
export function collectMarks(marks: MarksOfModel): OwnMarks {
  const roles = new Map<string, OwnRole>()
  for (const role of ['joint', 'close', 'open'] as const)
    for (const mark of marks[role]) {
      let folded = ''
      for (const character of mark.trim()) folded += foldMark(character, folded)
      if (folded !== '' && folded.length < LONGEST_MARK) roles.set(folded, role)
    }
  const written = [...roles.keys()]
  return {
    roles,
    beginnings: new Set(written.flatMap(mark => Array.from(mark, (_, index) => mark.slice(0, index + 1)))),
    firsts: new Set(Object.values(marks).flatMap(each => each.map(mark => mark.trim().charCodeAt(0)))),
  }
}

/** The marker that comes next, if any. Waits only while the characters so far can start a marker. */
export function* readMarker(input: Input): Reading<Marker | undefined> {
  const { own } = input
  let mark = ''
  let found: Marker | undefined
  for (let length = 0; length < LONGEST_MARK;) {
    while (input.lacks(length + 1)) yield
    if (input.code(length) === END) return found
    mark += foldMark(String.fromCharCode(input.code(length)), mark)
    length++
    if (!beginnings.has(mark) && !own?.beginnings.has(mark))
      return found ?? (mark.startsWith('<|') ? yield* readToken(input) : undefined)
    const role = own?.roles.get(mark) ?? wholeMarks.get(mark)
    if (role) found = { role, mark, name: '', attributes: {}, hasEquals: false, length }
    // A model's own mark may start like another mark.
    if (found && !own?.beginnings.has(mark)) return found
    if (role) continue
    const naming = namingMarks.get(mark)
    if (naming) return yield* readNaming(input, naming, mark, length)
  }
  return found
}

/** A token that is in no table. Models leak such tokens at the end of their answers. */
function* readToken(input: Input): Reading<Marker | undefined> {
  for (let length = 2; length < 40; length++) {
    while (input.lacks(length + 2)) yield
    const character = String.fromCharCode(input.code(length))
    const isEnd = (character === '|' || character === '｜') && length > 3
    if (isEnd && input.code(length + 1) === GREATER)
      return { role: 'stop', mark: '', name: '', attributes: {}, hasEquals: false, length: length + 2 }
    if (!/[\w▁]/.test(character)) return undefined
  }
  return undefined
}

function* readNaming(input: Input, role: Role, mark: string, from: number): Reading<Marker | undefined> {
  const last = mark.startsWith('<|open|>') ? '<|sep|>' : '>'
  const start = input.at
  for (let length = from; length < LONGEST_NAMING; length++) {
    while (input.lacks(length + 1)) yield
    const code = input.code(length)
    if (code === last.charCodeAt(0)) {
      input.at = start + length
      const ends = yield* textComesNext(input, last)
      input.at = start
      if (!ends) return undefined
      const text = input.slice(start + from, start + length)
      return named(text, { role, mark, length: length + last.length })
    }
    if (code === END || code === LESS) return undefined
  }
  return undefined
}

function named(text: string, marker: Pick<Marker, 'role' | 'mark' | 'length'>): Marker | undefined {
  const hasEquals = marker.mark.endsWith('=')
  const attributes: Record<string, string> = {}
  if (!hasEquals)
    for (const [, key, double, single, bare] of text.matchAll(
      /(?<![\w-])([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))/g,
    ))
      attributes[key!] = double ?? single ?? bare ?? ''
  const written = hasEquals ? text.trim().replace(/^(["'])(.*)\1$/, '$2') : undefined
  const name = written ?? attributes['name'] ?? attributes['tool'] ?? attributes['key'] ?? ''
  return name === '' && marker.role !== 'joint' ? undefined : { ...marker, name, attributes, hasEquals }
}
