import { byCount } from '../../../shared/text/amounts.ts'
import {
  isBudgetUsed,
  type BatchOptions,
  type BatchPlan,
  type BatchState,
} from '../../../shared/contract/runs/batch.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { many, printAside, printLine } from '../output/terminal-text.ts'

/** Minimum time between progress lines without a terminal, in ms. */
const LINE_MS = 10_000
const WIDTH = 24

/** Describe what a batch would do, before it starts. */
export function showPlan(plan: BatchPlan, { out }: Pick<BatchOptions, 'out'>): string {
  const { rows, attempts, ended, badLines, moreBadLines, modelIds, leastTokens, remarks } = plan
  const open = attempts - ended
  return [
    ...badLines.map(({ line, why }) => `Line ${line} is left out: ${showHiddenInLine(why)}.`),
    ...(moreBadLines > 0 ? [`${many(moreBadLines, 'more line')} cannot be run.`] : []),
    `${many(rows, 'row')}, ${many(attempts, 'attempt')}, with ${modelIds.map(showHiddenInLine).join(', ') || 'no model'}, into ${out}.`,
    ...(ended > 0 ? [`${many(ended, 'attempt')} ${byCount(ended, 'has', 'have')} already ended.`] : []),
    ...(open > 0
      ? [
          `An estimate: the first requests read ${many(leastTokens, 'token')}. Each further step of an attempt reads its chat again.`,
        ]
      : []),
    ...remarks.map(showHiddenInLine),
  ].join('\n')
}

/** Describe the result of a batch that has stopped. */
export function showEnd(state: BatchState): string {
  const { ended, attempts, states, unknown, rewards, tokens, out, text } = state
  const named = Object.entries(states)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en')} ${WORDS[name as keyof typeof WORDS]}`)
  return [
    `${ended.toLocaleString('en')} of ${many(attempts, 'attempt')} ${byCount(attempts, 'has', 'have')} ended${named.length > 0 ? `: ${named.join(', ')}` : ''}. ${many(tokens, 'token')}.`,
    ...(rewards.count > 0
      ? [`${rewards.sum.toLocaleString('en')} of ${many(rewards.count, 'check')} passed.`]
      : []),
    ...(unknown > 0
      ? [`${many(unknown, 'attempt')} had been interrupted and ${byCount(unknown, 'was', 'were')} repeated.`]
      : []),
    ...(state.state === 'paused'
      ? [`${showHiddenInLine(text)}${isBudgetUsed(state) ? '' : ' Run the same command again to continue.'}`]
      : [`The results are in ${out}.`]),
  ].join('\n')
}

const WORDS = {
  done: 'with an answer',
  no_answer: 'without an answer',
  steps_used: 'used all their steps',
  calls_unreadable: 'with calls that could not be read',
  failed: 'failed',
} satisfies Record<keyof BatchState['states'], string>

/**
 * Show the progress of a batch: one changing line on a terminal, occasional lines elsewhere, or JSON lines.
 */
export function createProgress(json: boolean) {
  const isTerminal = process.stderr.isTTY && !json
  let shownAt = -Infinity
  let shownState = ''
  let isLineOpen = false

  function clear(): void {
    if (isLineOpen) process.stderr.write('\r\u001B[K')
    isLineOpen = false
  }
  return {
    show(state: BatchState): void {
      const isNews = state.state !== shownState
      if (json) {
        if (state.state === 'running' || state.state === 'waiting')
          printLine(jsonLine({ type: 'progress', ...state }))
        return
      }
      if (isTerminal) {
        clear()
        process.stderr.write(lineOf(state, true).slice(0, Math.max(20, process.stderr.columns - 1)))
        isLineOpen = true
        return
      }
      const now = performance.now()
      if (!isNews && now - shownAt < LINE_MS) return
      shownAt = now
      shownState = state.state
      printAside(lineOf(state, false))
    },
    say(text: string): void {
      clear()
      if (!json) printAside(text)
    },
    end: clear,
  }
}

function lineOf(
  { ended, attempts, active, tokens, rewards, state, text, until }: BatchState,
  withBar: boolean,
): string {
  const share = attempts === 0 ? 1 : ended / attempts
  const full = Math.floor(share * WIDTH)
  const bar = withBar ? `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ` : ''
  const passed = rewards.count > 0 ? `, ${rewards.sum} of ${rewards.count} checks passed` : ''
  const wait =
    state === 'waiting' && until !== null
      ? ` Waiting until ${new Date(until).toLocaleTimeString('en-GB')}: ${showHiddenInLine(text)}`
      : ''
  return `${bar}${ended.toLocaleString('en')} of ${attempts.toLocaleString('en')}, ${active} in progress, ${many(tokens, 'token')}${passed}.${wait}`
}
