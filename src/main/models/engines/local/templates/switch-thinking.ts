import type { PromptPart, Render, Turn } from './fill-chat-template.ts'
import { looksForMarks } from './thinking-marks.ts'

/** Whether a model thinks before it answers. Only for models whose chat template has a switch. */
export type Thinking = 'on' | 'off'

/**
 * Return the variables that switch thinking in a template, under all names that makers use. A reasoning
 * effort is passed only to templates that have a level without thoughts.
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
 * Return a render function that switches thinking: by variables, or by a mark after the first message if the
 * template looks for marks. `write` renders a small conversation. Undefined if the output is the same either
 * way.
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
  // Compare only the start of the reply, after the last message. Elsewhere the mark may be plain text.
  return attempt(() => differs([...usual.slice(0, -1), ...write(marked).slice(-1)])) ? marked : undefined
}

/**
 * Find where a template looks for words such as `/no_think`: in all messages, or only in the instructions.
 * Undefined if it does not look for them.
 */
export function findMarksPlace(
  source: string,
  write: (turns: readonly Turn[]) => readonly PromptPart[],
  turns: readonly Turn[],
): 'messages' | 'instructions' | undefined {
  if (!looksForMarks(source)) return undefined
  // The text after the last message is the start of the reply, which tells whether the model thinks.
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
