/** An ordinary page around a fragment, in one of several forms. `at` chooses the form. */
export function buildPage(fragment: { css: string; html: string; at: number }): string {
  const form = FORMS[fragment.at % FORMS.length]
  if (!form) throw new Error('no form')
  return form(fragment.css, fragment.html)
}

const prose = [
  'The ferry leaves the old harbour at seven in the morning and needs two hours to the island, where the baker waits with warm rolls.',
  'Most of the paths are marked with a white dot on a stone, and after rain the lower one along the shore is slippery.',
  'In the museum a model of the village shows how it looked before the great flood, with every barn and every fence.',
  'Bicycles may be taken along for two coins; in summer it is wise to book a place the day before.',
]
const paragraphs = prose.map(text => `<p>${text}</p>`).join('\n')

type Form = (css: string, html: string) => string
const FORMS: readonly Form[] = [
  (
    css,
    html,
  ) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>To the island</title><style>
body{font:16px/1.5 serif;max-width:760px;margin:0 auto;color:#222}h1{font-size:2em}${css}</style></head><body><header><h1>To the island</h1></header>
<main><article>${paragraphs}${html}<p>${prose[0]}</p></article></main><footer><p>Printed on paper.</p></footer></body></html>`,
  (
    css,
    html,
  ) => `<html><head><title>Prices</title><style>${css}</style></head><body><div class="page"><h2>Prices</h2>
<table border="1"><tr><th>Way</th><th>Price</th></tr><tr><td>Adults</td><td>12</td></tr><tr><td>Bicycles</td><td>2</td></tr></table>
${paragraphs}<div class="note">${html}</div></div></body></html>`,
  (
    css,
    html,
  ) => `<!doctype html><html><head><meta name="viewport" content="width=device-width"><title>Guide</title>
<style>*{box-sizing:border-box}.wrap{display:flex;gap:20px;width:1200px;margin:auto}.side{width:220px}.text{flex:1;position:relative}pre{padding:8px}</style>
<style>${css}</style></head><body><div class="wrap"><nav class="side"><ul><li><a href="/a">Start</a></li><li><a href="/b">Paths</a></li></ul></nav>
<div class="text"><h1>Guide</h1>${paragraphs}<pre><code>ferry --at 7</code></pre>${html}${paragraphs}</div></div></body></html>`,
  (
    css,
    html,
  ) => `<!doctype html><html><head><title>Letters</title><style>.post{margin:1em 0;padding:12px;background:#fff}.by{color:#666}${css}</style></head>
<body><div id="app"><section class="post"><p class="by">Ann, Monday</p><p>${prose[1]}</p></section><section class="post"><p class="by">Bo, Tuesday</p>
<p>${prose[2]}</p>${html}</section><section class="post"><p class="by">Cy, Wednesday</p><p>${prose[3]}</p></section></div></body></html>`,
]
