import type { ApprovalMode, Session } from '../../shared/contract/chats/session.ts'

/** A mode that was lent to a chat. */
export type Loan = { approval: ApprovalMode }

/**
 * Modes that a terminal lends to a chat while it is connected. They are in memory only, so nothing is left of
 * them if the terminal or this process is killed.
 */
export function createLentModes() {
  const loans = new Map<string, Loan[]>()
  return {
    /** The chat with the newest mode that was lent to it. */
    apply(session: Session): Session {
      const loan = loans.get(session.id)?.at(-1)
      return loan ? { ...session, approval: loan.approval } : session
    },
    /** The loan in effect, if any. */
    newest: (sessionId: string): Loan | undefined => loans.get(sessionId)?.at(-1),
    lend(sessionId: string, approval: ApprovalMode): Loan {
      const loan = { approval }
      loans.set(sessionId, [...(loans.get(sessionId) ?? []), loan])
      return loan
    },
    takeBack(sessionId: string, loan: Loan): void {
      const left = (loans.get(sessionId) ?? []).filter(each => each !== loan)
      if (left.length > 0) loans.set(sessionId, left)
      else loans.delete(sessionId)
    },
    /** End all loans of a chat, because its own mode was set. */
    end: (sessionId: string) => void loans.delete(sessionId),
  }
}
