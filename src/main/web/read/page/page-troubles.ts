import type { PageDocument } from '../dom.ts'
import { countWords } from '../extract/measure-blocks.ts'
import type { LinkedData } from './linked-data.ts'

/** Facts for judging a page. `visible`: all words that users see. `read`: those of its main text. */
export type PageFacts = {
  status: number
  title: string
  html: string
  text: string
  visible: number
  read: number
  data: LinkedData
}

const FEW = 60
const SHORT = 250
const NOT_FOUND =
  /\b(?:404|page (?:not|cannot be|could ?n.t be|can.t be) found|not found|no longer (?:available|exists)|does(?: not|n.t) exist|seite nicht gefunden|nicht gefunden|page introuvable|introuvable|no encontrad[ao]|pagina non trovata|não encontrada|niet gevonden|не найдена)\b|找不到|页面不存在|見つかりません|찾을 수 없/iu
const BROKEN =
  /\b(?:50[0234]|internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|something went wrong|under maintenance|wartungsarbeiten|database error)\b/iu
const ROBOT_TITLE =
  /^(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|robot check|please verify|security check|checking your browser|pardon our interruption|verify(?:ing)? you are|ddos-guard|one more step|human verification|captcha)/i
const ROBOT_TEXT =
  /checking (?:your browser|if the site connection is secure)|verify(?:ing)? (?:that )?you(?:'|’)?(?: a)?re (?:not a (?:ro)?bot|(?:a )?human)|unusual (?:traffic|activity)|enable javascript and cookies to continue|complete the (?:captcha|security check)|are you a (?:ro)?bot|not a robot|automated (?:access|queries|requests)|ray id/i
const ROBOT_MARKS =
  /_cf_chl_opt|challenge-platform|cf-challenge|px-captcha|captcha-delivery\.com|g-recaptcha|h-captcha|hcaptcha\.com|cf-turnstile|aws-waf-token|distil_r_captcha/
const CONSENT =
  /before you continue|we (?:value|care about|respect) your privacy|(?:accept|allow|reject) all(?: cookies)?|cookie (?:preferences|settings|consent)|manage (?:your )?(?:preferences|choices|options)|alle(?:s)? akzeptieren|zustimmen und weiter|tout (?:accepter|refuser)|aceptar (?:todo|y continuar)|accetta (?:tutti|e continua)|with your consent|our partners (?:store|use)|partners? (?:store|process) (?:and\/or access )?(?:information|personal data)/i
const LOGIN =
  /(?:log|sign) ?in (?:to|or (?:sign|create)|with)|please (?:log|sign) ?in|you must (?:be logged|log|sign) ?in|members only|create an account|melden sie sich an|anmelden,? um|connectez-vous|inicia(?:r)? sesión/i
const PAY =
  /subscribe (?:to|now to) (?:continue|read|unlock|keep)|(?:this|the) (?:article|content|story) is (?:for|available to|reserved for|only for) (?:our )?(?:subscribers|members|premium)|already a subscriber|unlock this (?:article|story)|to (?:continue|keep) reading|start your (?:free )?trial|réservé aux abonnés|nur für abonnenten|mit .{1,20}plus-abo|jetzt abonnieren,? um/i
const NEEDS_SCRIPTS =
  /(?:enable|turn on|activate|requires?|needs?) java ?script|java ?script (?:is )?(?:disabled|required|not enabled|to run this app)|aktivieren sie java ?script|activer java ?script|without java ?script/i

/** Say in sentences why a page is not what was requested; empty for an ordinary page. */
export function findTroubles(document: PageDocument, facts: PageFacts): string[] {
  const { status, title, html, text, visible, read, data } = facts
  const troubles: string[] = []
  const start = text.slice(0, 6_000)
  const isShort = visible < SHORT
  const hasPassword = /<input\b[^>]*type\s*=\s*["']?password/i.test(html)
  const heading = `${title}\n${document.querySelector('h1')?.textContent ?? ''}`
  const isRobotCheck =
    (ROBOT_TITLE.test(title.trim()) && visible < 2 * SHORT) ||
    (isShort && (ROBOT_TEXT.test(start) || (visible < FEW && ROBOT_MARKS.test(html))))
  if (isRobotCheck)
    troubles.push(
      'The site checks whether a person is there and shows nothing else, so the page itself was not read.',
    )
  else if (status >= 400)
    troubles.push(
      `The server answered with ${sayStatus(status)}, so this is probably not the page that was meant.`,
    )
  else if (isShort && NOT_FOUND.test(heading)) troubles.push('It says that there is no such page.')
  else if (isShort && BROKEN.test(heading))
    troubles.push('It is an error page of the site, and not the page that was meant.')
  if (!isRobotCheck) {
    if (isConsentWall(start, facts))
      troubles.push('It asks for consent to cookies first, and shows little or nothing of the page before.')
    if (data.isLocked === true || (read < 2 * SHORT && PAY.test(text)))
      troubles.push('It is for subscribers: what is read may be only the beginning.')
    else if (isShort && (hasPassword || (LOGIN.test(heading) && read < FEW)))
      troubles.push('It wants people to log in first, so what is behind that was not read.')
    if (isMadeByScripts(document, facts))
      troubles.push(
        'Scripts make this page in a browser; they were not run, so most or all of it is missing.',
      )
  }
  const frames = [...document.querySelectorAll('frame')]
  if (frames.length > 0 && read < FEW)
    troubles.push('It is made of frames: what it shows is at the addresses below.')
  const refresh = document.querySelector('meta[http-equiv="refresh" i]')?.getAttribute('content') ?? ''
  const onward = /^\s*\d{1,2}\s*[;,]\s*url\s*=\s*['"]?([^'"\s]+)/i.exec(refresh)?.[1]
  if (onward !== undefined && visible < FEW)
    troubles.push(`It only sends the browser on to ${onward.slice(0, 300)}.`)
  if (read === 0 && troubles.length === 0) troubles.push('It has no text.')
  return troubles
}

const sayStatus = (status: number) =>
  status === 404 || status === 410 ? `${status}, which means that it has no such page` : `the error ${status}`

/** Whether a page is about cookies and hardly anything else. */
function isConsentWall(start: string, { visible, read, title }: PageFacts): boolean {
  if (
    /^(?:before you continue|cookie consent|privacy settings|bevor sie|avant de continuer)/i.test(
      title.trim(),
    )
  )
    return true
  if (!CONSENT.test(start)) return false
  const about =
    start.match(/cookie|consent|privacy|partner|personal data|datenschutz|einwilligung/gi)?.length ?? 0
  return (
    visible < 2 * SHORT && read < 2 * SHORT && about >= 4 && about / Math.max(1, countWords(start)) > 0.02
  )
}

function isMadeByScripts(document: PageDocument, { html, visible, read, text }: PageFacts): boolean {
  if (visible >= FEW * 2 && read >= FEW) return false
  const scripts = (html.match(/<script\b/gi) ?? []).length
  const holder = document.querySelector(
    '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [data-reactroot], [ng-app], [data-server-rendered]',
  )
  const isEmptyHolder = holder !== null && countWords(holder.textContent ?? '') < 15
  if (isEmptyHolder && scripts > 0) return true
  if (NEEDS_SCRIPTS.test(`${text} ${document.querySelector('noscript')?.textContent ?? ''}`))
    return scripts > 0 || visible < FEW
  return visible < 20 && scripts >= 1 && html.length > 1_500
}
