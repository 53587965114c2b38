/** Everything that the guide itself says. Other text comes from tools and from answers that need no model. */
export const GUIDE_SAYS = {
  whichToCorrect: () => 'Which of these shall I correct?',
  whichToForget: () => 'Which of these shall I forget?',
  nothingSaved: () =>
    'I have saved nothing in this chat yet. Say what I shall forget, for example: forget my address.',
  notRemembered: (words: string) => `I remember nothing about “${words}”.`,
  forgetAll: () => 'I forget one thing at a time, so say which. All of it can be removed on the Memory page.',
  nothingDone: () => 'All right, I leave it.',
  notUnderstood: () =>
    'I did not understand which of these you mean, so I did nothing. Say it in other words, for example: read notes.txt.',
  shallI: (what: string) => `Shall I ${what}?`,
  whatToDo: () => 'I am not sure what you mean. What shall I do?',
  wouldDo: (what: string, how: string) =>
    `I was not sure, so I did nothing. I would ${what}. If you want that, write: ${how}`,
  noFileLike: (words: string) => `I find no file called “${words}” in this folder.`,
  isThere: (path: string) => `${path} is there already, so I left it as it is.`,
  replaceAll: (path: string) => `${path} is there already. What shall I do?`,
  didLast: (what: string) => `My last step in this chat was: ${what}.`,
  didNothing: () => 'I have done nothing in this chat yet.',
  cannotUndo: () =>
    'I can take back only my last step, and only where it replaced a text in a file. For other changes, say what I shall write.',
  noSkill: (name: string) => `There is no skill called “${name}”.`,
  toolOff: (what: string) => `I cannot ${what} in this chat, because what it takes is switched off.`,
} as const satisfies Record<string, (...filled: string[]) => string>

const FILLED = '\u0000'

const patterns = Object.values(GUIDE_SAYS).map((say: (...filled: string[]) => string) => {
  const parts = say(...Array.from({ length: say.length }, () => FILLED)).split(FILLED)
  return new RegExp(
    `^${parts.map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*')}$`,
  )
})

/**
 * Whether a text is a sentence of the guide, whatever was filled in.
 *
 * @internal `eval:small` finds nonsense with it.
 */
export const isGuideSentence = (text: string): boolean => patterns.some(each => each.test(text))
