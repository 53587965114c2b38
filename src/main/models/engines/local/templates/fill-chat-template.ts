import { callId } from '../../../formats/call-ids.ts'
import { dropEmptyTools } from './drop-empty-tools.ts'

/** The role of a message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/**
 * A message without its text. `generated` marks replies of the model. `name` is the name of the tool, `id`
 * the id of its call. `marks` are words in the text that the template may look for, such as `/no_think`.
 */
export type Turn = {
  role: Role
  generated: boolean
  name?: string | undefined
  id?: string | undefined
  marks?: readonly string[]
}

/**
 * A part of a prompt: text of the template, or the index of the message to insert. `quoted` says how often to
 * escape the message as JSON text, because the template writes it inside quotation marks. `removed` are those
 * of its marks that the template has removed.
 */
export type PromptPart = { frame: string } | { message: number; quoted?: number; removed?: readonly string[] }

/** A message as templates expect it, possibly with more keys. */
type TemplateMessage = { role: Role; content: string | { type: string; text: string }[] }

/** A compiled template. With `open`, its output ends where the model starts to write. */
export type Render = (
  messages: readonly TemplateMessage[],
  options: { open: boolean; tools: readonly object[] | undefined },
) => string

/** The variant of input that a template expects. */
export type Manner = {
  contentInParts: boolean
  mergeSystem: boolean
  alternate: boolean
  /** Pass an empty list of tools, because the template requires one. */
  listsTools: boolean
  /** Whether results have the tool role. Otherwise they are user messages. */
  toolRole: boolean
  /** A tool as data, for templates that write the frame of results only if they get a tool. */
  framesFor: object | undefined
  /**
   * For templates that accept results only after structured calls: how to replace those with our own text.
   */
  calls: Calls | undefined
}

/**
 * The texts that a template writes around calls. `leads` come before a reply to the user or to a tool,
 * `surplus` only before past replies, `ends` after a call.
 */
export type Calls = {
  leads: { user: string; tool: (name: string, id: string) => string }
  surplus: string
  ends: readonly string[]
}

/** Surrounds the index of a message. A private-use character that no template writes or changes. */
const mark = '\uE000'
/** The argument of a structured call, which marks its place in the output. */
const argument = '\uE001'

/**
 * Return the placeholder for a message. That of a result contains a quotation mark, to show whether the
 * template escapes its text. It also contains the words that the template looks for.
 */
const placeholder = (index: number, role: Role, marks: readonly string[] = []): string =>
  `${mark}${index}${role === 'tool' ? '"' : ''}${marks.join('')}${mark}`

/** Find the placeholder of a message in a rendered text, however often its quotation mark was escaped. */
function findPlaceholder(
  text: string,
  index: number,
  from: number,
): { start: number; end: number } | undefined {
  const pattern = new RegExp(`${mark}${index}(?:\\\\*")?(?:/\\w+)*${mark}`, 'g')
  pattern.lastIndex = from
  const found = pattern.exec(text)
  return found ? { start: found.index, end: found.index + found[0].length } : undefined
}

/** Render with a placeholder for the text of each message, and split the result at the placeholders. */
export function fillTemplate(
  render: Render,
  manner: Manner,
  turns: readonly Turn[],
  open = true,
): PromptPart[] {
  const tools = manner.listsTools ? [] : undefined
  const parts = fillOnce(render, manner, turns, { open, tools })
  if (!manner.framesFor || !turns.some(({ role }) => role === 'tool')) return parts
  const told = fillOnce(render, manner, turns, { open, tools: [manner.framesFor] })
  return takeResultFrames(parts, told, turns)
}

/** Return the prompt `parts` with the text around results taken from the prompt `from`. */
function takeResultFrames(
  parts: readonly PromptPart[],
  from: readonly PromptPart[],
  turns: readonly Turn[],
): PromptPart[] {
  const isResult = (at: number) => turns[at]?.role === 'tool'
  return splitParts(parts).flatMap(({ message, behind }, at): PromptPart[] => {
    const other = splitParts(from)[at]
    const frame = other && (isResult(at - 1) || isResult(at)) ? other.behind : behind
    const own = isResult(at - 1) ? (other?.message ?? message) : message
    return [...(own ? [own] : []), ...(frame === '' ? [] : [{ frame }])]
  })
}

/** Pair each message with the text after it. The first entry is the text before the first message. */
function splitParts(
  parts: readonly PromptPart[],
): { message: Extract<PromptPart, { message: number }> | undefined; behind: string }[] {
  const split: ReturnType<typeof splitParts> = [{ message: undefined, behind: '' }]
  for (const part of parts) {
    const last = split.at(-1)
    if ('message' in part) split.push({ message: part, behind: '' })
    else if (last) last.behind += part.frame
  }
  return split
}

function fillOnce(
  render: Render,
  manner: Manner,
  turns: readonly Turn[],
  options: Parameters<Render>[1],
): PromptPart[] {
  const groups = group(turns, manner)
  const rendered = render(messagesOf(groups, manner, turns), options)
  const text = nameIds(manner.calls ? replaceCalls(rendered, groups, manner.calls) : rendered, groups)
  const pieces = text.split(/\uE000(\d+(?:\\*")?(?:\/\w+)*)\uE000/)
  const order = pieces.filter((_, at) => at % 2 === 1).map(piece => Number.parseInt(piece, 10))
  if (order.length !== turns.length || order.some((index, at) => index !== at)) {
    throw new Error('it does not write every message once and in order')
  }
  if (turns[0]?.role === 'system') {
    pieces[0] = dropEmptyTools(pieces[0] ?? '')
    pieces[2] = dropEmptyTools(pieces[2] ?? '')
  }
  return pieces.flatMap((piece, at): PromptPart[] => {
    if (at % 2 === 1) return [readPlaceholder(piece, turns)]
    return piece === '' ? [] : [{ frame: piece }]
  })
}

/** Read a placeholder. Escaping doubles the backslashes before a quotation mark and adds one: 0, 1, 3, 7. */
function readPlaceholder(piece: string, turns: readonly Turn[]): PromptPart {
  const message = Number.parseInt(piece, 10)
  const slashes = piece.split('\\').length - 1
  const left: readonly string[] = piece.match(/\/\w+/g) ?? []
  const removed = turns[message]?.marks?.filter(each => !left.includes(each)) ?? []
  return {
    message,
    ...(slashes > 0 && { quoted: Math.round(Math.log2(slashes + 1)) }),
    ...(removed.length > 0 && { removed }),
  }
}

/** Write result ids as Kimi K2 was trained on them: tool and call number. Its templates copy any id. */
function nameIds(text: string, groups: readonly Group[]): string {
  const results = groups.filter(({ role }) => role === 'tool')
  const pattern = /(## Return of )(?:call\d{5}|functions\.[\w.-]+:\d+)/g
  if (results.length === 0 || text.match(pattern)?.length !== results.length) return text
  let place = 0
  return text.replace(pattern, (_, words: string) => {
    const { name = '', id = '' } = results[place] ?? {}
    const own = id.startsWith('functions.') ? id : `functions.${name}:${place}`
    place++
    return words + own
  })
}

/** Neighbouring messages that the template sees as one. `results` are the results of its calls. */
type Group = { role: Role; members: number[]; name: string; id: string; results: Group[] }

/**
 * Merge messages that the template cannot separate: the system prompt with the first question, or neighbours
 * with the same role.
 */
function group(turns: readonly Turn[], manner: Manner): Group[] {
  const { mergeSystem, alternate } = manner
  const groups: Group[] = []
  const roles = rolesFor(turns, manner)
  /** If calls are data, a template may look up a call by its id, so ids must be unique. */
  const taken = new Set<string>()
  let results = 0
  roles.forEach((own, index) => {
    const role = own === 'system' && mergeSystem ? 'user' : own
    const last = groups.at(-1)
    const joins = (alternate && role !== 'tool') || (mergeSystem && index === 1 && roles[0] === 'system')
    if (last && joins && last.role === role) {
      last.members.push(index)
      return
    }
    const added = newGroup(role, [index])
    groups.push(added)
    if (role !== 'tool') return
    const { name, id } = turns[index] ?? {}
    const isOwn = id !== undefined && /^[\w.:-]{1,80}$/.test(id) && !(manner.calls && taken.has(id))
    Object.assign(added, { name: safeName(name), id: isOwn ? id : callId(results) })
    taken.add(added.id)
    results++
    groups.findLast(each => each.role === 'assistant')?.results.push(added)
  })
  const first = groups[0]?.role === 'system' ? 1 : 0
  if (alternate && groups[first]?.role === 'assistant') groups.splice(first, 0, newGroup('user', []))
  return groups
}

const newGroup = (role: Role, members: number[]): Group => ({ role, members, name: '', id: '', results: [] })

/**
 * Return the role of each message for the template. A result without a preceding reply becomes a user
 * message. So does the result of a call whose start cannot be located.
 */
function rolesFor(turns: readonly Turn[], { toolRole, calls }: Manner): Role[] {
  let answersCall = false
  let before: Role | undefined
  return turns.map(({ role }) => {
    if (role === 'assistant') answersCall = !calls || before === 'user' || before === 'tool'
    else if (role !== 'tool') answersCall = false
    before = role === 'tool' && !(toolRole && answersCall) ? 'user' : role
    return before
  })
}

/** Make a tool name safe for the frame, where markup is active: a model can invent any name. */
const safeName = (name = ''): string => (/^[\w.-]{1,64}$/.test(name) ? name : 'tool')

function messagesOf(
  groups: readonly Group[],
  { contentInParts, calls }: Manner,
  turns: readonly Turn[],
): TemplateMessage[] {
  return groups.map(({ role, members, name, id, results }) => {
    if (calls && results.length > 0) {
      const data = results.map(result => ({
        id: result.id,
        type: 'function',
        function: { name: result.name, arguments: { text: argument } },
      }))
      return { role, content: '', tool_calls: data }
    }
    const text = textOf(members, role, turns)
    const content = contentInParts ? [{ type: 'text', text }] : text
    return role === 'tool' ? { role, content, name, tool_call_id: id } : { role, content }
  })
}

const textOf = (members: readonly number[], role: Role, turns: readonly Turn[] = []): string =>
  members.map(member => placeholder(member, role, turns[member]?.marks)).join('\n\n')

/** Replace the calls that the template wrote with the text of the reply, up to the end of the turn. */
function replaceCalls(rendered: string, groups: readonly Group[], { leads, surplus, ends }: Calls): string {
  let text = ''
  let copied = 0
  groups.forEach(({ members, results }, index) => {
    const before = groups[index - 1]
    const after = groups[index + 1]
    if (results.length === 0 || !before || !after) return
    const from = findPlaceholder(rendered, before.members.at(-1) ?? -1, copied)?.end ?? 0
    const to = findPlaceholder(rendered, after.members[0] ?? -1, from)?.start ?? -1
    const start = before.role === 'tool' ? leads.tool(before.name, before.id) : leads.user
    const lead = rendered.startsWith(start + surplus, from) ? start + surplus : start
    const body = rendered.lastIndexOf(argument, to)
    const between = rendered.slice(Math.max(body, 0), Math.max(to, 0))
    const found = ends.map(end => between.indexOf(end)).filter(at => at > 0)
    if (to < 0 || body < from || found.length === 0 || !rendered.startsWith(lead, from)) {
      throw new Error('it writes calls where they cannot be found again')
    }
    text += rendered.slice(copied, from) + lead + textOf(members, 'assistant')
    copied = body + Math.min(...found)
  })
  return text + rendered.slice(copied)
}

/**
 * Compare the texts that a template writes before a new reply and before past replies. A thought that the
 * template opens counts as part of the reply, so that readers of the reply know that it starts with a
 * thought.
 */
export function compareReplyPrefixes(now: string, past: string): { opener: string; surplus: string } {
  let same = 0
  while (same < now.length && now[same] === past[same]) same++
  const thought = openThought.exec(now)?.index ?? same
  const tag = same < now.length ? now.slice(0, same).search(/[<[][^<>[\]]*$/) : -1
  const shared = Math.min(thought, tag < 0 ? same : tag)
  const opener = now.slice(shared)
  // Any other difference means that the template rewrites earlier turns.
  if (shared < past.length && opener !== '' && !isThought(opener)) return { opener: '', surplus: '' }
  return { opener, surplus: past.slice(shared) }
}

const openThought = /<[\w:|]*think(?:ing)?[|]?>\s*$|\[THINK\]\s*$|<\|open\|>think<\|sep\|>\s*$/i
/** Matches an empty thought before past replies. The replies then have no frame of their own. */
export const closedThought = /<\/[\w:|]*think(?:ing)?[|]?>\s*$|\[\/THINK\]\s*$/i
const isThought = (text: string): boolean => /think|thought/i.test(text)

/** Cut the start of the reply off a prompt, which then matches the prompt before a past reply. */
export function splitOpener(parts: PromptPart[], opener: string): { parts: PromptPart[]; opener: string } {
  const last = parts.at(-1)
  if (opener === '' || !last || !('frame' in last) || !last.frame.endsWith(opener))
    return { parts, opener: '' }
  const frame = removeEnd(last.frame, opener)
  return { parts: [...parts.slice(0, -1), ...(frame === '' ? [] : [{ frame }])], opener }
}

/** Remove `end` from a text that ends with it. */
export const removeEnd = (text: string, end: string): string =>
  end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text

/**
 * Put past replies of the model directly after the generation prompt, even if the template writes more text
 * before past replies.
 */
export function dropTextBeforeReplies(
  parts: PromptPart[],
  turns: readonly Turn[],
  surplus: string,
): PromptPart[] {
  if (surplus === '') return parts
  return parts.flatMap((part, at): PromptPart[] => {
    const next = parts[at + 1]
    const isBeforeOwn = next && 'message' in next && turns[next.message]?.generated
    if (!('frame' in part) || !isBeforeOwn) return [part]
    const frame = removeEnd(part.frame, surplus)
    return frame === '' ? [] : [{ frame }]
  })
}
