import type { StepId, StepOutcome } from './steps.ts'

type Told = {
  /** Of a starter. */
  title: string
  done: string
  /** Of the button that leads here. */
  next: string
}

/** Every sentence of the tour. */
export const tourText = {
  title: 'See it work in a minute',
  about: 'Three things to try with the built-in demo model. Click one; nothing leaves this computer.',
  tried: 'Tried',
  region: 'Tour',
  steps: {
    remember: {
      title: 'It remembers you',
      done: 'Saved. The line above can be undone, and the Memory page keeps it for you to change.',
      next: 'Next: let it remember something',
    },
    recall: {
      title: 'It still knows in a new chat',
      done: 'This is a new chat, and it knew: the answer came from its memory.',
      next: 'Next: ask for it in a new chat',
    },
    file: {
      title: 'It asks before it changes anything',
      done: 'Nothing was written before you allowed it. The file is in the working folder.',
      next: 'Next: let it write a file',
    },
    skill: {
      title: 'It learns how you do things',
      done: 'Any chat can use this skill from now on. The Skills page shows it, and it is plain text.',
      next: 'Next: teach it a skill',
    },
    follow: {
      title: 'It uses what it learned',
      done: 'It loaded your skill and followed it. That was the tour: the same works with every model.',
      next: 'Next: let it use the skill',
    },
  } satisfies Record<StepId, Told>,
  outcomes: {
    denied: 'You said no, so nothing was changed. The answer is yours every time.',
    failed: 'That did not go as it should: this model is very small. Try again, or go on.',
  } satisfies Partial<Record<StepOutcome, string>>,
  openMemory: 'Open Memory',
  openSkills: 'Open Skills',
  again: 'Try again',
  addModel: 'Add a bigger model',
  close: 'Close the tour',
} as const
