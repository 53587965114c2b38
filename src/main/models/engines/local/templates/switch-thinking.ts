import type { PromptPart, Render, Turn } from './fill-chat-template.ts'
import { looksForMarks } from './thinking-marks.ts'

/** Whether a model thinks before it answers, where its chat template can tell it. */
export type Thinking = 'on' | 'off'

/**
 * The variables by which templates are told, in all the names that their makers gave them. A level of effort is only given to
 * templates that have a level without thoughts.
 */
export function thinkingVariables(source: string, thinking: Thinking | undefined): object {
  if (thinking === undefined) return {}
  const none = /reasoning_effort/.test(source) && /(['"])(no_think|none)\1/.exec(source)?.[2]
  return thinking === 'off'
    ? {
        enable_thinking: false,
        thinking: false,
        skip_thinking: true,
        thinking_mode: 'disabled',
        thinking_budget: 0,
        ...(none && { reasoning_effort: none }),
      }
    : {
        enable_thinking: true,
        thinking: true,
        thinking_mode: 'enabled',
        ...(none && { reasoning_effort: 'high' }),
      }
}

/**
 * How a template is told to think or not: by variables, or by a mark behind the first message, where it looks for one. `write` is
 * what it makes of a small conversation. Undefined when it writes the same whatever it is told.
 */
export function switchRender(
  source: string,
  renderAs: (thinking?: Thinking) => Render,
  write: (render: Render) => readonly object[],
  thinking: Thinking,
): Render | undefined {
  const usual = write(renderAs())
  const differs = (parts: readonly object[]) => JSON.stringify(parts) !== JSON.stringify(usual)
  const told = renderAs(thinking)
  if (attempt(() => differs(write(told)))) return told
  if (!looksForMarks(source)) return undefined
  const marked = addMark(renderAs(), thinking === 'off' ? '/no_think' : '/think')
  // Behind the last message is the beginning of the reply. The mark itself may only be a text that stays where it is.
  return attempt(() => differs([...usual.slice(0, -1), ...write(marked).slice(-1)])) ? marked : undefined
}

/**
 * Where a template looks for words such as `/no_think`: in all messages, or in the instructions alone. Undefined when it knows of
 * none.
 */
export function findMarksPlace(
  source: string,
  write: (turns: readonly Turn[]) => readonly PromptPart[],
  turns: readonly Turn[],
): 'messages' | 'instructions' | undefined {
  if (!looksForMarks(source)) return undefined
  // Behind the last message is the beginning of the reply, which tells whether the model thinks.
  const beginningWith = (marked?: Turn['role']) =>
    JSON.stringify(
      write(turns.map(turn => (turn.role === marked ? { ...turn, marks: ['/no_think'] } : turn))).at(-1),
    )
  const usual = beginningWith()
  const reads = (role: Turn['role']) => attempt(() => beginningWith(role) !== usual)
  return !reads('user') && reads('system') ? 'instructions' : 'messages'
}

const addMark =
  (render: Render, mark: string): Render =>
  (messages, options) =>
    render(
      messages.map((message, at) =>
        at > 0
          ? message
          : {
              ...message,
              content:
                typeof message.content === 'string'
                  ? `${message.content}\n${mark}`
                  : [...message.content, { type: 'text', text: `\n${mark}` }],
            },
      ),
      options,
    )

function attempt(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
