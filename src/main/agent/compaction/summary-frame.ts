/** What stands around a summary in the message that a model reads. */
type SummaryFrame = { opening: string; ending: string }

/** Labels: after sentences, such as “The conversation goes on from here.”, small models began each answer with them. */
const LABELS: SummaryFrame = {
  opening:
    '[Summary of earlier messages · the messages themselves: session_search · of lines that disagree: the later one]',
  ending: '[/Summary]',
}

/** The built-in model was trained on this one, so it stays as it is. */
const TRAINED: SummaryFrame = {
  opening:
    '[Summary of the earlier part of this conversation. The messages themselves are not shown any more; session_search finds them. Where two lines disagree, the later one holds.]',
  ending: '[End of the summary. The conversation goes on from here.]',
}

/** Every frame that a summary may stand in. */
export const FRAMES: readonly SummaryFrame[] = [LABELS, TRAINED]

/** The summary as the text of a message. `isBasic`: the model knows only the words that it was trained on. */
export function frameSummary(summary: string, isBasic = false): string {
  const { opening, ending } = isBasic ? TRAINED : LABELS
  return `${opening}\n\n${summary}\n\n${ending}`
}

/** Whether a text is a summary in one of our frames rather than something the user wrote. */
export const isFramed = (text: string): boolean => FRAMES.some(({ opening }) => text.startsWith(opening))
