/** Whose message it is. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** A message as far as its place in a prompt goes; `generated` marks what the model wrote itself, `name` is the tool's. */
export type Turn = { role: Role; generated: boolean; name?: string | undefined }

/** A prompt in pieces: what the template writes, and where the text of which message goes. */
export type PromptPart = { frame: string } | { message: number }

/** A template that can be written: with `open`, up to the place where the model begins to write. */
export type Render = (messages: readonly object[], options: { open: boolean; tools: boolean }) => string

/** How a template wants to be fed. */
export type Manner = {
  contentInParts: boolean
  mergeSystem: boolean
  alternate: boolean
  /** Tell it of an empty list of tools, because it takes for granted that there is one. */
  listsTools: boolean
  /** Whether results are messages of the tool; otherwise they are the user's. */
  toolRole: boolean
  /** For templates that take results only after calls that come as data: what to know to put our own text in their place. */
  calls: Calls | undefined
}

/**
 * What a template writes before a reply to a person or to a tool, what may follow before past replies only, and the texts
 * that can stand after a call.
 */
export type Calls = {
  leads: { user: string; tool: (name: string, id: string) => string }
  surplus: string
  ends: readonly string[]
}

/** Stands around the number of a message; a private character that no template writes or changes. */
const mark = '\uE000'
/** The argument of a call that comes as data. */
const argument = '\uE001'

const placeholder = (index: number): string => mark + index + mark

/** Render with a placeholder for the text of each message, and cut the result at the placeholders. */
export function fill(render: Render, manner: Manner, turns: readonly Turn[], open = true): PromptPart[] {
  const groups = group(turns, manner)
  const rendered = render(messagesOf(groups, manner), { open, tools: manner.listsTools })
  const text = manner.calls ? replaceCalls(rendered, groups, manner.calls) : rendered
  const pieces = text.split(/\uE000(\d+)\uE000/)
  const order = pieces.filter((_, at) => at % 2 === 1).map(Number)
  if (order.length !== turns.length || order.some((index, at) => index !== at)) {
    throw new Error('it does not write every message once and in order')
  }
  return pieces.flatMap((piece, at): PromptPart[] => {
    if (at % 2 === 1) return [{ message: Number(piece) }]
    return piece === '' ? [] : [{ frame: piece }]
  })
}

/** Neighbours that are one message for the template. `results` are the results that answer its calls. */
type Group = { role: Role; members: number[]; name: string; id: string; results: Group[] }

/** Join messages that the template cannot take apart: the system prompt with the first question, or equal neighbours. */
function group(turns: readonly Turn[], manner: Manner): Group[] {
  const { mergeSystem, alternate } = manner
  const groups: Group[] = []
  const roles = rolesFor(turns, manner)
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
    Object.assign(added, { name: safeName(turns[index]?.name), id: callId(results++) })
    groups.findLast(each => each.role === 'assistant')?.results.push(added)
  })
  const first = groups[0]?.role === 'system' ? 1 : 0
  if (alternate && groups[first]?.role === 'assistant') groups.splice(first, 0, newGroup('user', []))
  return groups
}

const newGroup = (role: Role, members: number[]): Group => ({ role, members, name: '', id: '', results: [] })

/** A result that follows no reply is the user's; so is one after a call whose beginning could not be found again. */
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

/** The name goes into the frame, where markup counts, and a model can invent any. */
const safeName = (name = ''): string => (/^[\w.-]{1,64}$/.test(name) ? name : 'tool')

/** Nine letters and digits, because some templates accept nothing else. */
export const callId = (ordinal: number): string => `call${String(ordinal % 100_000).padStart(5, '0')}`

function messagesOf(groups: readonly Group[], { contentInParts, calls }: Manner): object[] {
  return groups.map(({ role, members, name, id, results }) => {
    if (calls && results.length > 0) {
      const data = results.map(result => ({
        id: result.id,
        type: 'function',
        function: { name: result.name, arguments: { text: argument } },
      }))
      return { role, content: '', tool_calls: data }
    }
    const text = textOf(members)
    const content = contentInParts ? [{ type: 'text', text }] : text
    return role === 'tool' ? { role, content, name, tool_call_id: id } : { role, content }
  })
}

const textOf = (members: readonly number[]): string => members.map(placeholder).join('\n\n')

/** Put the text of a reply where the template wrote its calls: after what stands before a reply, up to the end of the turn. */
function replaceCalls(rendered: string, groups: readonly Group[], { leads, surplus, ends }: Calls): string {
  let text = ''
  let copied = 0
  groups.forEach(({ members, results }, index) => {
    const before = groups[index - 1]
    const after = groups[index + 1]
    if (results.length === 0 || !before || !after) return
    const asked = placeholder(before.members.at(-1) ?? -1)
    const from = rendered.indexOf(asked) + asked.length
    const to = rendered.indexOf(placeholder(after.members[0] ?? -1), from)
    const start = before.role === 'tool' ? leads.tool(before.name, before.id) : leads.user
    const lead = rendered.startsWith(start + surplus, from) ? start + surplus : start
    const body = rendered.lastIndexOf(argument, to)
    const found = ends.map(end => rendered.indexOf(end, body)).filter(at => at > 0 && at < to)
    if (to < 0 || body < from || found.length === 0 || !rendered.startsWith(lead, from)) {
      throw new Error('it writes calls where they cannot be found again')
    }
    text += rendered.slice(copied, from) + lead + textOf(members)
    copied = Math.min(...found)
  })
  return text + rendered.slice(copied)
}
