import type { Rule, Unit } from './rule.ts'
import { runToEnd } from '../../lib/timing.ts'
import { RULES, rulesFor } from './all-rules.ts'

/** Where a rule matched. `softened`: the text warns of it or shows it as a bad example. */
export type Match = { rule: Rule; line: number; text: string; softened: boolean }

/** Maximum number of anchors to check per rule and unit. */
const MOST_ANCHORS = 40

/** The matches of rules in a unit. @internal Tests run all steps with it. */
export const matchesIn = (unit: Unit, rules?: Iterable<Rule>): Match[] => runToEnd(matchSteps(unit, rules))

/** Like `matchesIn`, one rule per step: V8 recompiles each pattern for the first text beyond Latin-1. */
export function* matchSteps(
  unit: Unit,
  rules: Iterable<Rule> = rulesFor(unit),
): Generator<void, Match[], void> {
  const matches: Match[] = []
  for (const rule of rules) {
    if (!rule.kinds.includes(unit.kind)) continue
    const match = matchOf(rule, unit)
    if (match) matches.push(match)
    yield
  }
  return matches
}

function matchOf(rule: Rule, unit: Unit): Match | null {
  const [anchor, ...others] = rule.all as [RegExp, ...RegExp[]]
  compile(anchor)
  anchor.lastIndex = 0
  for (let n = 0; n < MOST_ANCHORS; n++) {
    const found = anchor.exec(unit.text)
    if (!found) return null
    if (found[0] === '') anchor.lastIndex++
    const end = found.index + found[0].length
    const near = unit.text.slice(Math.max(0, found.index - rule.within), end + rule.within)
    if (!others.every(other => has(other, near))) continue
    const round = rule.within > 60 ? near : unit.text.slice(Math.max(0, found.index - 60), end + 60)
    if (rule.unless && has(rule.unless, round)) continue
    const isWarned = isWarnedOf(unit, found.index)
    if (isWarned && (unit.kind === 'prose' || unit.kind === 'front' || unit.lead !== '')) continue
    return {
      rule,
      line: lineAt(unit, found.index),
      text: found[0],
      softened: isWarned || unit.badExample || isTableRow(unit),
    }
  }
  return null
}

/** Table rows usually name things instead of giving orders. */
const isTableRow = ({ kind, text }: Unit) => kind === 'prose' && text.startsWith('|')

const has = (pattern: RegExp, text: string) => {
  compile(pattern)
  pattern.lastIndex = 0
  return pattern.test(text)
}

/**
 * V8 interprets a pattern first and compiles it on a later use, or immediately for a long text. These
 * patterns are large, so compiling them up front halves the time of the first scan.
 */
function compile(pattern: RegExp): void {
  if (compiled.has(pattern)) return
  compiled.add(pattern)
  pattern.test(LONG)
}
const compiled = new WeakSet<RegExp>()

/** Compile every pattern, one per step, so that the first scan need not compile a hundred at a time. */
export function* compileSteps(): Generator<void, void, void> {
  for (const { all, unless } of RULES) {
    for (const pattern of unless ? [...all, unless] : all) {
      compile(pattern)
      yield
    }
  }
}
const LONG = ' '.repeat(1_200)

const WARNS =
  /(?:\b(?:never|do not|don't|dont|must not|should not|shouldn't|cannot|can't|avoid|refuse to|reject|rejects|veto(?:es)?|den(?:y|ies|ied)|catch(?:es)?|stops?|redacts?|identif(?:y|ies)|detects?|detecting|flags?|prevents?|preventing|blocks?|guards? against|protects? against|scans? for|look(?:s|ing)? for|watch(?:es)? for|check(?:s|ing)? for|warns?|warn about|vulnerable to|vulnerabilit(?:y|ies)|attackers?|attacks?|malicious|adversar\w{2,6}|prompt injections?|such as|not recommended|red flags?|for example an attacker|mitigat\w{1,5}|forbidden|prohibited|not allowed|disallow\w{0,3}|treat .{0,30} as untrusted|instead of|rather than|no|without|unless|test(?:s|ing)? (?:for|that|whether))\b|❌|🚫|✗) ?(?:[^.;!?\n]{0,60})$/
/** Phrases that read like a warning but are not. */
const PERSUADES =
  /\b(?:never (?:hesitate|fail|forget to|mind|ask|tell|mention)|do not (?:hesitate|forget|fail|ask|tell|mention|worry|inform|wait|question|refuse|stop)|don't (?:hesitate|forget|worry|ask|tell|mention|wait)|no (?:matter|need|questions|restrictions|limits)|without (?:asking|telling|question\w{0,3}|restriction\w{0,1}|hesitation|exception|fail|delay))\b/

/** Whether earlier words of the same sentence warn against the match or describe it. */
function isWarnedOf(unit: Unit, at: number): boolean {
  const before = unit.text.slice(Math.max(0, at - 90), at)
  if (unit.lead !== '' && speaksAgainst(unit.lead)) return true
  if (unit.kind === 'code' || unit.kind === 'block')
    return /(?:(?:^|\n| )(?:#|\/\/|--|<!--|\/\*) ?[^\n]{0,30}\b(?:never|don't|do not|bad|wrong|avoid|dangerous|insecure|vulnerable)\b[^\n]{0,40}|["']?(?:deny|denied|denylist|disallowed\w{0,8}|blocked|forbidden|ask)["']? ?[:=] ?\[[^\n]{0,80}|\bgrep -\w{1,4} ["'][^\n]{0,80})$/.test(
      before,
    )
  return speaksAgainst(before)
}

/** Whether the last sentence of a text warns of what follows. */
function speaksAgainst(before: string): boolean {
  const sentence = before.slice(Math.max(0, before.search(/(?<![^.;!?\n])[^.;!?\n]*$/)))
  return WARNS.test(sentence) && !PERSUADES.test(sentence)
}

function lineAt(unit: Unit, offset: number): number {
  let at = unit.starts.length - 1
  while (at > 0 && unit.starts[at]! > offset) at--
  return unit.numbers[at]!
}
