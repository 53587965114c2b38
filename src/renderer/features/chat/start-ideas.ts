/** Something to try in a new chat. What `begin` holds goes into the message field to be finished; the rest is sent at once. */
export type Idea = { text: string; begin?: string }

/** What is set up, as far as the start page knows. */
export type SetUp = {
  /** The built-in model, which knows a handful of requests. */
  isDemo: boolean
  /** A temporary chat, which knows nothing of memory and writes no skills. */
  isTemporary: boolean
  hasFiles: boolean
  hasMemory: boolean
}

/** How many ideas the start page has room for. */
const MOST = 3

/** What to try that fits what is set up: nothing about files where there are none, or about a memory that is empty. */
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
    : [{ text: 'Make a skill from this', begin: 'Make a skill from this: ' }, offline]
  return [...(hasFiles ? [files] : []), hasMemory ? known : remember, ...others]
    .filter((idea, at, all) => all.indexOf(idea) === at)
    .slice(0, MOST)
}
