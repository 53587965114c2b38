/** The tool lines that the built-in demo model was trained with. */
const LINES = [
  '- memory(action, target, content, old_text): save durable facts. action: add, replace, remove. target: user or memory',
  '- session_search(query): search past conversations',
  '- terminal(command): run a shell command',
  '- read_file(path): read a text file',
  '- write_file(path, content): write a text file',
  '- skills_list(): list the skills',
  '- skill_view(name): load the steps of a skill',
  '- skill_manage(action, name, description, content, old_string, new_string): create or patch a skill',
]

/** Whether the demo model knows a tool; offering another one would only confuse it. */
export const demoKnows = (tool: string): boolean => LINES.some(line => line.startsWith(`- ${tool}(`))

/**
 * The one prompt frame that the built-in demo model understands, to the byte (its name for itself included): it has
 * 3.4 million parameters and was trained on this text. All the lines stay, also of tools that do not exist yet: without them it
 * copies arguments wrongly (measured: “run ls -la” became “ls tarla”). A call of a missing tool is answered with an error.
 */
export function demoPrompt({
  tools,
  day,
  entries: { user, notes } = { user: [], notes: [] },
  skills = [],
}: {
  tools: readonly unknown[]
  day: string
  entries?: { user: readonly string[]; notes: readonly string[] } | undefined
  skills?: readonly { name: string; description: string }[] | undefined
}): string {
  return [
    'You are Hermes, a helpful desktop agent with memory and skills.',
    `Today is ${day}.`,
    '',
    '### User Profile',
    ...listOf(user),
    '',
    '### Observations',
    ...listOf(notes),
    '',
    '## Available Skills',
    ...linesOfSkills(skills),
    '',
    '## Tools',
    'Call a tool like this: <tool_call>{"name":"tool","arguments":{}}</tool_call>',
    ...(tools.length > 0 ? LINES : []),
    '',
    '## Guidance',
    'Save durable facts with memory.',
    'Answer from the tool result. Never invent a result.',
    'Keep answers short.',
    'Call one tool at a time and wait for its result.',
    'You are the small built-in model. Say so when a request is beyond you.',
  ].join('\n')
}

/** It was trained on a skill or two, each told in a few words. */
const LINES_OF_SKILLS = 3
const linesOfSkills = (skills: readonly { name: string; description: string }[]): string[] =>
  skills.length === 0
    ? ['(none)']
    : skills.slice(0, LINES_OF_SKILLS).map(({ name, description }) => {
        const line = description.replace(/\s+/g, ' ').split(/[.;:,]/)[0]!
        return `- ${name}: ${line.slice(0, 60).toWellFormed().toLowerCase()}`
      })

/** Its window is small, and it was trained on a few short lines. */
const LINES_OF_MEMORY = 8
const listOf = (texts: readonly string[]): string[] =>
  texts.length === 0
    ? ['(empty)']
    : texts.slice(-LINES_OF_MEMORY).map(text => `- ${text.replace(/\s+/g, ' ').slice(0, 120).toWellFormed()}`)
