import { Fault } from '../../../shared/rpc.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { printAside } from '../output/terminal-text.ts'

type Decision<Shown, Done> = {
  /** Read the current state, with its hash. */
  look(): Promise<Shown>
  show(shown: Shown): void
  question: string
  /** The error text if nobody can answer. */
  unanswerable: string
  /** Agree to what was shown without asking. */
  yes: boolean
  /** Agree to what was shown. Throws a `conflict` Fault if it has changed since. */
  agree(shown: Shown): Promise<Done>
}

/**
 * Show something, ask, and agree to exactly what was shown. If it changed in the meantime, show it and ask
 * again; with `yes`, show it and throw the Fault. Resolves to undefined if the user says no.
 */
export async function agreeAsShown<Shown, Done>(decision: Decision<Shown, Done>): Promise<Done | undefined> {
  const { look, show, question, unanswerable, yes, agree } = decision
  for (;;) {
    const shown = await look()
    show(shown)
    if (!yes && !(await confirmOnTerminal(question, unanswerable))) return undefined
    try {
      return await agree(shown)
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'conflict')) throw error
      if (yes) {
        show(await look())
        throw error
      }
      printAside(error.message)
    }
  }
}
