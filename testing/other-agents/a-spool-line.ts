/** The fields of an event that a test sets; other fields are made up. */
export type Given = {
  id?: string
  at?: number
  cwd?: string
  model?: string
  event?: Record<string, unknown>
}

let made = 0

/** A line as a script inside another program writes it. */
export const aLine = (text: string, { id, at, cwd, model, event }: Given = {}): string =>
  `${JSON.stringify({
    v: 1,
    id: id ?? `event-${++made}`,
    at: at ?? Date.now(),
    cwd: cwd ?? '/home/me/site',
    ...(model !== undefined && { model }),
    event: event ?? { type: 'user_message', text },
  })}\n`
