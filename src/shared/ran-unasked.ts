/** Why a command ran unasked that is known to only read, wherever it runs. Stored with its result. */
export const ONLY_READS = 'a command that only reads'

/** Why one ran unasked that might do more elsewhere: where it ran, it could not. Stored with its result. */
export const RAN_CONFINED = 'it runs confined, where it can only read'

const NEVER_RAN = /^(?:denied|not run|stopped$)/
const READ = [ONLY_READS, RAN_CONFINED, 'reading in the workspace']

/** Whether a call changed nothing, by the stored reason why it ran or did not. What was stopped while it ran began in its own way. */
export const changedNothing = (allowed: string): boolean =>
  NEVER_RAN.test(allowed) || READ.some(reason => allowed.startsWith(reason))

/** Whether a call ran, well or not, by how it was allowed. */
export const ranAtAll = (allowed: string): boolean => !NEVER_RAN.test(allowed)
