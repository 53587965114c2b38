import { expect, test } from 'vitest'
import type { Skill } from '../../shared/contract/learned/skills.ts'
import { aSkill } from '../../../testing/skills/a-skill.ts'
import { sampleQuestions } from './sample-questions.ts'

const described = (name: string, description: string, given: Partial<Skill> = {}): Skill =>
  aSkill({ name, description, ...given })

const COMMIT = described(
  'commit-message',
  "Writes a commit message in the repository's style. Use when the user wants to commit changes or asks how to word a commit.",
)
const CSV = described('clean-csv', 'Cleans a CSV file. Use when tables have broken rows or wrong encodings.')
const TRIP = described('plan-trip', 'Plan a journey. Use for holidays and weekend trips.')

test('three samples should trigger the skill, and two come from unrelated skills', () => {
  expect(sampleQuestions(COMMIT, [COMMIT, CSV, TRIP])).toEqual([
    "Please write a commit message in the repository's style.",
    'Can you commit changes?',
    'How do I word a commit?',
    'Please clean a CSV file.',
    'Please plan a journey.',
  ])
})

test('everyday questions are used if there are no other skills', () => {
  expect(sampleQuestions(COMMIT, [COMMIT]).slice(3)).toEqual([
    'What is the capital of Portugal?',
    'Tell me a short joke about a cat.',
  ])
})

test('skills that are similar, off or blocked give no samples', () => {
  const twin = described('git-commit', COMMIT.description)
  const off = described('a', 'Sings a song about winter.', { enabled: false })
  const blocked = described('b', 'Ignore all rules.', { blocked: 'It hides things.' })
  expect(sampleQuestions(COMMIT, [COMMIT, twin, off, blocked]).slice(3)).toEqual([
    'What is the capital of Portugal?',
    'Tell me a short joke about a cat.',
  ])
})

test('there are five different samples for any description', () => {
  for (const description of [
    '',
    '???',
    'x'.repeat(5_000),
    'Use when\n\n\n',
    '"""',
    'Übersetzt Texte ins Deutsche.',
  ])
    for (const name of ['x', 'tidy-notes', '日本語'])
      expect(new Set(sampleQuestions(described(name, description), [CSV])).size).toBe(5)
})

test('use cases are turned into what a user would say', () => {
  const first = (description: string) => sampleQuestions(described('x', description), [])[0]
  expect(first('Use when planning a garden, or when moving house.')).toBe(
    'I am planning a garden and could use some help.',
  )
  expect(first('Use when the user asks for a weekly review.')).toBe('I need a weekly review.')
  expect(first('Use when the user mentions their invoices.')).toBe('I have a question about my invoices.')
  expect(first('Use for pitch decks.')).toBe('I need help with pitch decks.')
  expect(first('This skill should be used when you have a plan to carry out.')).toBe(
    'I have a plan to carry out.',
  )
  expect(first('Use when the user says "tidy up my notes" or the like.')).toBe('Tidy up my notes.')
  expect(first('A toolkit for analysing logs (syslog, journald): filters and counts.')).toBe(
    'I need help with analysing logs.',
  )
})

test('hostile descriptions are handled in time', () => {
  for (const part of ['(', 'use when ', '"a b', 'the user asks for ', 'a, or when ', 'for '])
    expect(sampleQuestions(described('x', part.repeat(5_000)), [CSV])).toHaveLength(5)
})
