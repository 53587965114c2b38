/**
 * What stands around a summary in the message that a model reads. Labels: after sentences, such as “The conversation goes on from
 * here.”, small models began each answer with them.
 */
const OPENING =
  '[Summary of earlier messages · the messages themselves: session_search · of lines that disagree: the later one]'
const ENDING = '[/Summary]'

/** Our texts around a summary. */
export const FRAME: readonly string[] = [OPENING, ENDING]

/** The summary as the text of a message. */
export const frameSummary = (summary: string): string => `${OPENING}\n\n${summary}\n\n${ENDING}`

/** Whether a text is a summary in our frame rather than something the user wrote. */
export const isFramed = (text: string): boolean => text.startsWith(OPENING)
