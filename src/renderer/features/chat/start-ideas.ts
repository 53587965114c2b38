/**
 * Something to try in a new chat. `begin` goes into the message field for the user to finish; an idea without
 * it is sent at once.
 */
export type Idea = { text: string; begin?: string }

/** The parts of the setup that the start page knows. */
export type SetUp = {
  /** Whether the built-in model answers, which understands a handful of requests. */
  isDemo: boolean
  /** Whether the chat is temporary: it does not see memory and writes no skills. */
  isTemporary: boolean
  hasFiles: boolean
  hasMemory: boolean
}

/** Maximum number of ideas on the start page. */
const MOST = 3

/** Ideas that fit the setup: none about files or memory if there is nothing in them. */
export function ideasFor({ isDemo, isTemporary, hasFiles, hasMemory }: SetUp): readonly Idea[] {
  const files: Idea = {
    text: isDemo ? 'What files are in this folder?' : 'What are the files in this folder about?',
  }
  const known: Idea = { text: 'What do you know about me?' }
  const remember: Idea = {
    text: 'Remember how I like answers',
    begin: 'Remember that I like answers to be short and in plain words.',
  }
  const offline: Idea = { text: 'What can you do without a network?' }
  if (isTemporary) return [...(hasFiles ? [files] : []), ...(isDemo ? [] : [offline])]
  const others: readonly Idea[] = isDemo
    ? [remember]
    : [
        {
          text: 'Make a skill for a task that I repeat',
          begin: 'Make a skill for this task that I repeat: ',
        },
        offline,
      ]
  return [...(hasFiles ? [files] : []), hasMemory ? known : remember, ...others]
    .filter((idea, at, all) => all.indexOf(idea) === at)
    .slice(0, MOST)
}
