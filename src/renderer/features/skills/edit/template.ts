/**
 * The template of a new skill: its useful sections, each with a short explanation. The name and the
 * description are generic placeholders, so that a user does not save a real-looking example.
 */
export const newSkill = `---
name: my-skill
description: >-
  Does one thing, said in a sentence. Use when the user asks for it, with the words they would use.
---

# My skill

One or two sentences on what comes out in the end.

## When to use

- What the user says or has when this helps.
- When it does not fit, and what to do instead.

## Steps

1. Look at what is there before changing anything.
2. Do the work, in small steps that can each be checked.
3. Tell the user what was done, in a sentence.

## Pitfalls

- What went wrong before, and how to avoid it.

## Check

- How to see that it worked.
`
