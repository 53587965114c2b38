import type { Delegated } from '../../shared/contract/runs/delegation.ts'
import type { StrangersMark } from '../../shared/contract/chats/messages.ts'
import { frameStrangersText } from '../untrusted/strangers-text.ts'
import { NOT_ALLOWED, type AgentFacts } from './agent-facts.ts'

/** Everything that the result of a sub-agent is written from. */
export type Ending = {
  agent: Delegated
  facts: AgentFacts
  /** The error that ended the sub-agent; empty for none. */
  error: string
  /** Why the answer does not have the requested form; undefined if it has, or if no form was requested. */
  misfit?: string | undefined
  /** Whether a form was requested. */
  hadForm: boolean
  /** The marks of outside texts that the answer may be derived from. */
  marks: readonly StrangersMark[]
}

/** Maximum number of each kind of fact, maximum characters of one fact, and of the summary. */
const MOST = 20
const LONGEST = 200
const LONGEST_SUMMARY = 20_000

/**
 * Write the result for the model of the chat: how the sub-agent ended, what it says, and what the host knows.
 * The first line and the facts never depend on what it says.
 */
export function resultText({ agent, facts, error, misfit, hadForm, marks }: Ending): string {
  const strangers = [...new Set(marks.map(({ source }) => source))]
  const said = facts.summary.trim().slice(0, LONGEST_SUMMARY).toWellFormed()
  const summary =
    said === ''
      ? '(It gave no answer.)'
      : strangers.length > 0
        ? frameStrangersText(strangers.length === 1 ? strangers[0]! : 'several', said)
        : said
  const { pool } = agent
  const lines = [
    `ended: ${agent.end === 'done' && said === '' ? 'by itself, without an answer' : HOW[agent.end ?? 'unknown']}${error === '' ? '' : ` (${oneLine(error)})`}`,
    `files changed with its tools: ${listed(facts.files)}`,
    `commands: ${listed(facts.commands.map(({ command, end }) => `“${oneLine(command, 120)}” → ${oneLine(end, 80)}`))}`,
    ...changesOfCommands(agent, facts),
    `sources: ${listed([...strangers, ...facts.sources])}`,
    ...(facts.denied.length > 0 ? [`not allowed: ${listed(facts.denied)}`] : []),
    ...(facts.failed > 0 ? [`calls that failed: ${facts.failed}`] : []),
    ...(hadForm
      ? [
          `form of its answer: ${misfit === undefined ? 'as asked for' : `not as asked for: ${oneLine(misfit)}`}`,
        ]
      : []),
    // The shared usage is counted only in memory, so it was lost when Talaria quit.
    `used: ${facts.steps} steps, ${facts.tokens} tokens${agent.end === 'unknown' ? '' : `; of all sub-agents of this turn ${pool.steps} of ${pool.mostSteps} steps`}`,
  ]
  return [
    `The sub-agent ${agent.name} ${ENDED[agent.end ?? 'unknown']}. It says:`,
    summary,
    '',
    'What Talaria knows of it, whatever it says:',
    ...lines.map(line => `- ${line}`),
  ].join('\n')
}

/** Changes by commands are only visible from outside, so the line says when they are not known. */
function changesOfCommands({ changed }: Delegated, { commands }: AgentFacts): string[] {
  const ran = commands.filter(({ end }) => end !== NOT_ALLOWED).length
  if (ran === 0) return []
  const known = Math.min(changed?.commands ?? 0, ran)
  const name = 'files that changed in the folder while its commands ran'
  if (!changed || (known === 0 && changed.paths.length === 0)) return [`${name}: not known`]
  const more = changed.more > 0 ? `; and ${changed.more} more` : ''
  const unknown = known < ran ? ` (not known of ${ran - known} of the ${ran} commands)` : ''
  return [`${name}: ${listed(changed.paths)}${more}${unknown}`]
}

/** How a sub-agent ended, as a fact. A turn that ended normally has not necessarily reached its goal. */
const HOW: Record<NonNullable<Delegated['end']>, string> = {
  done: 'by itself, with an answer',
  stopped: 'stopped before it was finished',
  budget_exhausted: 'its steps or tokens were used up before it was finished',
  tool_calls_invalid: 'its model wrote calls that could not run',
  failed: 'it failed',
  unknown: 'unknown: Talaria ended before it did',
}
const ENDED: Record<NonNullable<Delegated['end']>, string> = {
  done: 'has ended its turn',
  stopped: 'was stopped',
  budget_exhausted: 'was ended, because its budget is used up',
  tool_calls_invalid: 'was ended',
  failed: 'failed',
  unknown: 'was cut off when Talaria ended',
}

function listed(items: readonly string[]): string {
  if (items.length === 0) return 'none'
  const more = items.length > MOST ? `; and ${items.length - MOST} more` : ''
  return (
    items
      .slice(0, MOST)
      .map(item => oneLine(item))
      .join('; ') + more
  )
}

function oneLine(text: string, most = LONGEST): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}

/** The first message of a sub-agent: everything that it knows about its task. */
export function taskText(task: {
  instructions: string
  goal: string
  context: string
  schema?: unknown
}): string {
  const { instructions, goal, context, schema } = task
  return [
    'You are a sub-agent: another agent gave you one task, and you work on it alone. You know nothing of its chat but what stands here. Nobody answers questions; where something is open, choose and say so. When you are finished, or cannot go on, answer in a few sentences or a short list: what you found or did, what failed, and what is left. Never claim what you did not do: your calls are known.',
    instructions,
    `## Goal\n\n${goal.trim()}`,
    ...(context.trim() === '' ? [] : [`## Context\n\n${context.trim()}`]),
    ...(schema === undefined
      ? []
      : [
          `## Form of the answer\n\nYour last answer is nothing but JSON that fits this schema:\n${JSON.stringify(schema)}`,
        ]),
  ].join('\n\n')
}
