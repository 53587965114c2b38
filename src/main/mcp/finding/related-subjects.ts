/**
 * Words for more subjects, from observability to farming, in the form of `related-words.ts`. Product names
 * are among the words of tools, because servers are often named after products.
 */
export const SUBJECTS = `
papers paper arxiv pubmed scholar: preprint preprints study studies research publication publications journal scientific
papers paper arxiv scholar: researcher researchers literature thesis findings studie forschung aufsatz wissenschaftlich
citations cite cited citing: builds later work quoted quotes refer follow subsequent influence influenced zitiert
references cite cited bibliography: sources quotes based builds upon earlier footnotes; abstract: summary about gist
author authors: who wrote by written researcher name writer verfasser; doi identifier: number paper; h index: impact
zotero mendeley reference item bibliography: references citation citations literature thesis sources reading book
zotero mendeley collections: references folders sorted grouped shelf; annotations highlights: passages highlighted
annotations: highlighted underlined marked scribbled margin comments notes marks
bibtex export bibliography: latex cite
recently added recent: newest latest new fresh lately saved; metadata item: authors year publisher who when title
fulltext full text: whole entire says inside; tags: labels keywords; item key attachment: pdf

incident pagerduty opsgenie outage: pager page paged outage down alarm emergency acknowledge störung ausfall incident
oncall on call schedule: duty pager shift tonight bereitschaft standby covering cover rota weekend night who
override schedule shift: covers swap cover instead substitute takes replace stand vertretung; rotation schedule: shifts
manage incidents status urgency: acknowledge resolve severity escalate reassign ack close snooze merge seen priority
escalation policy: then next wakes notified paged woken nobody answers who after told
responders add: pull help bring people join wake; postmortem: learned review afterwards; service: system team owns
contact points notification: told notified gets alerted informed pinged receives who
silence mute alert: quiet hush stop
grafana dashboard panel: graph graphs chart charts board; annotation dashboard: mark note deployed graphs graph marker
loki logs log logql entries: lines line error errors emitted printed wrote services happened messages entries grep
elasticsearch kibana logs search: lines error errors; prometheus metric values: cpu memory usage rate load requests
label values names: which possible jobs instances dimension; datasources datasource: connected sources backends plugged
alert rule rules: alarm alarms fires fired threshold warn triggered; panel queries: behind formula source graph draws
trace traces span spans latency: slow request path waited milliseconds where spent time
apdex slo error budget: promise
datadog newrelic metrics monitors: hosts graphs servers load; uptime status page: down reachable statusseite
profile flamegraph pprof: cpu hot hotspots eats; synthetic monitor check: probe; heartbeat: alive
issue exception stacktrace sentry details: stack trace crash crashed exception traceback line happened
dsn dsns sentry project: key sdk client crashes report; release sentry: version shipped introduced regression
events attachment: uploaded file along; replay: session watch user did; seer analyze root cause fix: ai repair why
search issues sentry: unresolved crashes bugs hit users affected
tag values distribution: browsers devices spread share

pipeline ci build gitlab jenkins circleci: ci cd build builds kick checks green red nightly compile
create pipeline trigger run: kick start scratch begin launch off fresh; retry pipeline job: rerun again failed restart
job trace log output: print said wrote fail failed why; artifacts: produced output built binary zip download
runner agent executor: machine builds; stage gate approval: waiting release manual; coverage: tested percent lines
code quality sonarqube smells: clean duplicated debt; lint rule: style
package registry npm pypi: versions library latest
merge request diffs changes: changed touched differ; discussion discussions thread: comments talk reviewers said
protected branch: forbid guard; environment deployments: staging production live; variables ci: settings secrets
repository tree files: folder lists what inside; commit file push: check in save upload

redis cache valkey memcached: cache cached session sessions entries
scan keys pattern: entries starting start begin beginning prefix matching which
expire ttl: lifetime vanish lasts lives
hash hset hget field: map fields object; list lpush rpush push: queue front end append; lrange range list: first items
llen length list: many long waiting queue size; lpop pop: take remove first last; smembers sadd set: members unique
zadd zrange sorted set score: leaderboard ranking rank top points; dbsize size: how many keys number count altogether
publish channel: broadcast shout listeners; subscribe: listen; client list: connected who connections
increment incr counter: raise bump up one; flush flushdb: empty wipe clear; info server stats: memory version health
type key: kind sort; rename key: name; vector knn index: similar nearest closest; json path: nested document

deal deals pipeline stage crm hubspot: deal deals opportunity quarter closing prospects revenue won geschäft
hubspot salesforce pipedrive crm objects: crm deal deals contact company customer account lead leads
associations association relationships: belong belongs belonging linked connected attached tied together between which
search objects filter criteria advanced: over under above below than larger closing matching where who with
link links url ui: address open browser webpage; engagement create note: call logged met task spoke
properties property fields: columns attributes field custom; workflows workflow: automations automatically rules
batch create objects: many new several import all; batch update objects: change many raise bump several
schema schemas: look structure; owner owners: responsible handles whose salesperson rep; quote: offer angebot
lead leads: prospect prospects interested inquiry interessent; opportunity: sale chance; activity log: called emailed
forecast quota: target reach; territory: region; segment list: group people; email campaign: newsletter mailing blast

terraform module modules: building block ready made reusable template vpc variables inputs
module details inputs outputs documentation: variables takes arguments parameters needs accepts expects settings
provider providers documentation docs: resource arguments cloud aws azure; terraform infrastructure: cloud vpc iac
policy policies sentinel: rules compliance governance forbids; workspace workspaces: environments stage
run plan apply: rollout changes preview dry; state drift: reality differ changed hand; variable set: shared values
ansible playbook inventory: hosts configure; pulumi stack: infrastructure; cloudformation stack: infrastructure
helm chart release: chart charts ingress package packaged installed; helm uninstall: rid remove chart delete old
helm list releases: which installed charts running; helm install upgrade values: put deploy set
kubernetes pods k8s: pod pods cluster crashing restarting boxes; kubernetes deployment scale: replicas copies instances
configuration view kubeconfig: cluster connected context; namespaces: areas teams separated
ingress route: reachable host
recreate container: fresh restart anew again rebuild new variables; container run create: start bring up launch
container stop: halt shut; container logs: printed says said output; container remove: rid delete throw; compose: stack
images list: built downloaded pulled; image build dockerfile: bake package; image push registry: publish upload
docker: container containers dockerised dockerized image images daemon; volume volumes: data disk persistent
network networks: connected talk reach; prune: free space leftovers; secrets configmap: password settings

index indices elastic elasticsearch opensearch: index search shard documents
reindex copy documents source destination: transfer copy move migrate everything another into over new
mappings mapping fields: structure types columns schema look; shards shard: distributed spread nodes placed pieces
alias: another name nickname point; analyzer: tokens split; cluster health: ok green yellow; template: pattern defaults
document by query delete: wipe matching older; bulk: many once; suggest autocomplete: completes
aggregations: per average
vector pinecone qdrant weaviate embedding: similar meaning semantic; graph neo4j cypher: nodes connected paths

rephrase rewrite improve text: sound polite nicer friendlier formal wording reword better shorter simpler umformulieren
rephrase text: paragraph sentence tone style professional clearer höflicher; translate text deepl: übersetze heisst
glossary glossaries: terms terminology vocabulary fixed wording; languages target source: which support available speak
document translate: file letter pdf docx whole; transliterate: letters script; dictionary definition: mean meaning word
synonym synonyms thesaurus: another word similar instead; antonym: opposite; rhyme rhymes: sounds like poem
pronunciation phonetic: pronounce say spoken; etymology origin: comes from; grammar spellcheck: mistakes errors correct
conjugate verb: forms tense; tone sentiment: mood positive negative angry happy; readability: easy

earnings calendar announcements: report reports quarter quarterly results next when numbers; dividends: pay payout
income statement revenue profit: earn earned earnings sales loss made make turnover umsatz gewinn verdient
balance sheet assets debt liabilities: owe owes debts own cash worth; cash flow: generate spend money
stock quote share price: trading worth shares aktie kurs aktien
price history historical: chart past develop performed year
company profile overview: firm sector business does industry ceo employees; analyst ratings: recommend buy sell target
options chain contracts: calls puts strike; insider trades transactions: executives bought sold
sec filings: annual report
market movers gainers losers: rise fall biggest winners today; index indices market: dax dow nasdaq today
exchange rate currency: euro euros dollar dollars yen franc worth wechselkurs; interest rate bond yield: treasury
crypto coin token price: bitcoin ethereum btc eth worth; wallet address balance: coins hold own; gas fee: cost ethereum
transaction hash block: confirmed went arrived; swap token: exchange trade; staking: earn; nft: collectible
portfolio holdings positions: own invested shares depot; order trade place: buy sell; backtest strategy: would have
inflation gdp unemployment economic indicator: economy prices jobs; etf fund: invest; screener screen: cheap filter

bank account accounts balance: money have left konto kontostand savings; transfer payment: send wire pay überweise
transactions list spending: spent spend paid ausgegeben bought went
standing order recurring: monthly rent dauerauftrag
card block freeze: lost stolen; statement: kontoauszug; loan mortgage: borrow house rates kredit; iban: valid number
budget category expense: spent groceries left allowed; receipt expense: reimbursed scan; tax vat: owe steuer
invoice create: bill charge rechnung stell; invoice overdue unpaid list: owes late paid offen; estimate quote: offer
journal ledger booking entry: book; vendor supplier bill: lieferant; payroll payslip salary: pay gehalt wages earn
insurance claim policy: damage accident covered schaden; customer orders: bought purchased ordered purchases webshop
customer orders order: bought ordered purchases basket bestellt gekauft webshop shop; product inventory: left stock
subscription cancel: end quit kündigen abo stop; refund create: money back return zurück; payment link: pay url
price create: costs charge cost; coupon discount: off cheaper rabatt percent; dispute: chargeback contests contested
tip terminal reader: card machine; checkout session: pay buy; gift card: voucher gutschein; abandoned cart: left

ban bans server discord: exclude permanently forever block spammer out troll lock; kick kicks: throw out remove
timeout mute member minutes: quiet silence silent shut hour while calm; role member add: moderator make promote give
discord server guild channel: guild gaming clan community members; discord message: post announce
channels list: rooms places; server info: guild community members how many; forum thread create: topic discussion
reactions: thumbs emoji voted; invite link: join bring; voice channel: talking; webhook: automatic integration
schedule message later: tomorrow tonight go nine monday morning out announcement at later then um
slack message channel: announce announcement team; channel history: missed discussed happened; topic set: heading
reminder set: remind; emoji list: smileys; usergroup: group mention; canvas: document
search messages: wrote said mention
report spam abuse: offensive hate insulting; moderate content flag: rude toxic nasty inappropriate nsfw
tweet post bluesky mastodon: tweet toot say; timeline: feed happening; followers: fans follow
hashtag trending: popular
schedule post: later tomorrow; instagram facebook: photo story; likes: liked hearts; dm message: private

caption captions subtitle subtitles: subtitles subtitle untertitel spoken words languages text
captions languages list: subtitles which spanish german available; transcript: said says spoken words gesagt text
channel videos list: uploads uploaded creator youtuber latest newest clips published neueste; channel statistics: fans
youtube video videos: clip clips watch film creator vlog; video details: views liked length popular long
playlist: series
search videos: clips tutorial film watch show about; comments: viewers people write think; trending: popular
video trim cut ffmpeg: shorten part seconds; video convert format: mp4 gif turn; video merge concatenate: join
extract audio: sound mp3; thumbnail: preview cover picture; livestream stream: live broadcast; twitch: streamer
movie movies film tmdb: film cinema watch kino actor; cast credits: plays actor actress who starring
streaming providers
showtimes cinema: tonight plays; tv series episode season: next episode show staffel; review rating: good worth
podcast episode: listen show folge; radio station: listen tune; concert event tickets: show gig band live konzert

pause playback: hold moment anhalten stopp kurz halt silence unterbrechen; resume playback: continue weiter go again
play music spotify track: song musik abspielen lied hear listen put; skip next track: another nächstes boring weiter
previous track: again back before zurück; saved tracks liked songs: hearted loved favourite tune tunes songs favorites
recently played: heard listened gehört yesterday earlier; playlist create: mix collection wiedergabeliste
add tracks: into
now playing current: song is this called läuft gerade artist who sings; volume set: louder quieter lauter leiser
queue add: next afterwards danach; album: record; artist: band singer group; shuffle: mixed random; repeat: loop again
spotify sonos music library: song songs tune tunes music musik lied lieder band singer track album record
lyrics song: words sing text; top tracks artists: most favourite heard; recommendations: similar like
chords tabs: guitar
devices available speakers: where kitchen play; follow artist: fan; remove playlist tracks: kick out

wine pairing dish: drink drinks serve goes with roast beverage bottle
substitutes substitute ingredient: instead replace
substitutes ingredient: ran out without alternative missing ersatz anstelle take
ingredients find recipes: fridge have left
nutrition calories macronutrients recipe: diet healthy fat fattening protein carbs kcal sugar abnehmen slim unhealthy
recipe recipes meal dish: cook cooking bake dinner lunch supper lasagna soup cake eat kochen rezept essen backen hungry
recipe details instructions steps: how make prepare long oven; meal plan week: eat cook dinners menu essensplan
shopping list add item: buy need milk einkaufsliste groceries; cocktail drink: mix bar; random recipe: surprise
convert amounts units: cups grams ounces tablespoons; scale servings: people persons guests; restaurant menu order: eat
food delivery order: hungry bring pizza lieferdienst; restaurant reserve table: eat out tisch; allergens: allergic
wine beer rating: good bottle; coffee brew: espresso; grocery price: cheap supermarket

flight flights airline travel: fly plane flug fliegen ticket airport
baggage allowance policy airline: suitcase suitcases
baggage luggage: bag bags suitcase suitcases carry cabin koffer gepäck trolley
flight status: late delayed landed on time
seat map: window aisle sit; check in boarding pass: board; layover: change stop; airport: terminal code
hotel hotels search: stay sleep night übernachten room zimmer unterkunft; hotel details: pool breakfast amenities has
hotel reviews: guests say good; booking cancel: stornieren not going; booking reservation: trip booked
train trains departures: leave station zug bahn next abfahrt; train connection journey: get from to verbindung
visa requirements passport: need enter country papers travel; travel advisory: safe dangerous
rental car: hire mietwagen
itinerary trip plan: visit days see route tour; attractions sights: see visit do sehenswürdigkeiten; cruise ferry: ship
bus tram transit: stop next haltestelle; bike scooter share: ride cycle; parking: park car; toll: road
taxi uber ride: drive
flight prices dates cheapest calendar: cheap when billig; loyalty miles points: collected; tour activity: do

3d blender scene object mesh: mesh model cube sphere sculpture; poll job status task completed: ready finished yet done
poll status generation task: finished cooking ready progress yet done still fertig; render image: picture draw
material texture: surface look colour wood shiny; hdri polyhaven sketchfab assets: background environment models
camera
import generated asset: bring put scene; viewport screenshot: see looks; execute blender code: script
light scene: brighter
cad part assembly: screw drawing; print 3d printer slice: filament nozzle; printer status job: done paper jam ink
remove background image transparent: cut person out freistellen behind isolate subject
image generate: draw picture paint
image edit inpaint: change replace add retouch; upscale image enlarge: sharper larger bigger resolution
image variation
crop: trim edges; image describe caption: see shows what; style transfer: look like; image models: engines which
resize image: smaller; watermark: logo; face detect: people; colors palette: colours; icon logo: symbol; gif animate
audio speech tts voice: read aloud say vorlesen speak; voices list: speakers; clone voice: sound like
sound effect: noise
transcribe audio: recording spoken write; music generate compose: song; noise remove: clean; subtitles generate

pdf rotate pages: upside down turn around sideways drehen; pdf tables extract csv: figures numbers spreadsheet table
pdf merge: together join combine one zusammen; pdf split: separate apart pieces pages; pdf compress: smaller shrink
pdf text extract: read words contains says; pdf form fill: complete; pdf encrypt protect password: lock; pdf watermark
pdf pages delete remove: without drop; pdf images extract: pictures; pdf convert images: pictures; pdf metadata: author
pdf ocr scanned: scan readable searchable; pdf sign: signature; pdf page count info: many pages long
redact: black hide
docx word document: letter; convert markdown pandoc: turn into; slides presentation: talk deck folien; latex compile

column list board trello add: column spalte additional lane
activity board recent: doing been people happened yesterday
card trello: task item ticket; checklist: steps; move card: drag column list done; archive card list: old done away
cards my assigned: mine plate; attach image: picture; board boards: projects; label: colour; due date: deadline
asana clickup monday linear task: assign work todo; task complete mark: abhaken done erledigt finished tick off fertig
todoist tasks task: liste list aufgabe todo; tasks get list: due today heute; task update: postpone later rename
section
jira transition status: finished done progress reflect started moved closed; jira worklog: hours spent time booked
confluence page wiki: wiki runbook company guide documentation article; update page: fix outdated correct change edit
confluence create page: write document; confluence comment: remark; confluence search: find wiki anything; space: area
airtable bases base: workspaces databases reach; tables list: sheets; records update: mark confirmed change set guests
records create: add new row; records list search: rows which who; record delete: rid; field create: column
notion block children: paragraph; notion page: page; database: table; comment: remark; users: people colleagues
memo insight append business: finding findings note summary running falling sales learned; memo: note summary
obsidian vault note: note; append content: add; backlinks links: refer mention; daily: journal; frontmatter: tags
bookmarks raindrop pocket: read later saved links; rss feed: news subscribed blog; highlight: marked quote

historical weather archive: july june may march april august september october november december last year was past
historical weather date range: summer winter spring autumn 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 warm cold
alerts active weather warning: storm warnings severe hurricane tornado flood unwetter danger dangerous sturm
hourly forecast: hour afternoon evening later next hours o'clock; marine conditions waves: sea surf sailing swell
forecast daily: tomorrow days week weekend rain snow morgen wetter; pollen: allergy hay sneeze; lightning: thunder
sunrise sunset: dark light daylight; moon phase: full; tide tides: low high water
earthquake earthquakes: shaking quake
astronomy planets stars: sky visible; satellite iss: overhead pass; snow avalanche: ski; radar: rain clouds
uv: sunburn
air quality aqi: breathe smog; water level river: flood; fire wildfire: burning smoke; space nasa: picture mars rover

news search articles: headlines headline schlagzeilen nachrichten strike latest happening aktuelle aktuell press current
top headlines: today important; web search brave: google internet find look suche; image search: pictures photos bilder
local search: near restaurants; video search: clips; summarizer: sum short
map website urls structure: every address site
site map crawl website: pages every subpages exist under whole all links; extract content: read text page
fetch url: read page website; screenshot page: looks picture; archive wayback: old earlier
domain whois: owns registered
search engine tavily exa: find web internet online; fact check: true; hacker news stories: top discussed
reddit: subreddit

browser resize viewport window: phone mobile tablet sized size small screen; browser navigate: open go visit
browser click: press button hit; browser type fill: enter write field; browser close: finished done quit window
browser tabs: another; browser wait: until; browser hover: pointer; browser network requests: called loaded api
browser console: errors javascript; browser snapshot: structure see; browser screenshot: picture looks
press key: enter
browser select option: dropdown pick choose; file upload: attach choose; handle dialog: popup accept; drag: pull
cookies: logged session; pdf save: print; evaluate: javascript; emulate device: phone; accessibility: axe

filter create gmail: automatically automatisch skip newsletters future always rule every from now future incoming regel
email send gmail: mail schreib write schick antworte; draft: entwurf unsent prepare; search emails: mail anybody wrote
delete email: rid bin lösch throw trash; label: sort mark; attachment download: file came; unread: neue new ungelesen
vacation responder: away holiday; signature; contacts people: phone number address telefonnummer
thread: whole exchange
calendar event create: termin trag meet lunch eintragen; freebusy: free available frei zeit gap
event delete: cancel absag
event update: move push verschieb postpone; events list: on today next was; events search: when; calendars: which
time current timezone: uhr spät late clock; convert time: there here oclock; countdown days: until
holiday public: feiertag

light switch turn on homeassistant hass: licht lamp hell bright an; turn off: aus dark licht
climate temperature: heizung
hass homeassistant smart home: heater heating light lights lamp blinds curtain vacuum thermostat living room kitchen bedroom
vacuum start: clean staub saug floor; cover open close: blinds rolladen curtain shutter; lock: door tür abschliessen
list add item: buy milk; media pause: tv; scene script: movie night; state get: is on open; timer: minutes
camera motion: moved someone; sensor: humid warm; doorbell: rang; alarm arm: leaving; energy solar: produced strom
thermostat set temperature: warmer cooler degrees heizung grad; air purifier fan: stuffy
sprinkler irrigation: water lawn
car vehicle tesla: charged charge battery range auto drive; charging station: ev electric load; lock vehicle
tire pressure
fuel: petrol gas tank; vin: number; obd: fault; energy consumption electricity: used power strom; meter reading: zähler
crop field soil farm: plant harvest; plant care: water; pest: bugs; irrigation: water dry; livestock: cow; weather agro

fitness activity strava garmin: run ran ride workout jog training swam walked exercise; sleep: slept rest night schlaf
steps: walked schritte; heart rate: pulse puls; weight: weigh heavy kilos; workout create plan: training gym
health record patient: doctor; medication drug: pills take; appointment doctor: arzt; symptom: ill sick
lab result: blood
drug interactions: together safe; clinical trials trial: study treatment; gene protein: dna; disease: illness
compound molecule chemistry pubchem: substance chemical formula; reaction: react; toxicity: poisonous; structure: looks
species: animal plant; element: periodic; genome variant: mutation; material: steel

shipment track parcel package: where arrive paket sendung delivered; shipping rates label: cost send postage porto
carrier: dhl ups fedex; pickup: collect; return: send back; warehouse: lager; customs: duty zoll; route delivery: drive
inventory levels quantity product: left stock have many; fulfillment: shipped sent; purchase order: reorder buy
employee employees hr bamboohr: staff works colleague hired mitarbeiter
time off leave: vacation holiday urlaub sick off
who is out absence: away holiday today; applicant candidate: interview applied bewerber
job posting: vacancy open stelle
performance review: feedback; onboarding: new hire; org chart manager: boss reports chef; shift: works; expense claim
timesheet clock: hours worked; training course: learn; benefits: insurance; survey: mood

envelope signature docusign esign: sign signed contract unterschrift unterschreiben; template; recipients signers: who
contract clause legal: terms agreement vertrag; law statute: legal allowed gesetz; case court: ruling judgment urteil
trademark patent: invention; company register: owns handelsregister; gdpr privacy: data; license: allowed
sms text message twilio: text phone handy; call phone make: ring anruf dial; voicemail: missed
phone number lookup: whose
verify code otp: confirm; whatsapp telegram signal message: text chat schreib; fax; conference: dial; ivr flow

vpn tunnel: connect secure; dns record: point domain subdomain; firewall rule: port block allow; proxy
ip address lookup
ip geolocation: where from; ping traceroute: reachable slow; wifi network: password router devices; port scan: open
bandwidth speed test: fast internet; certificate ssl expiry: expires valid
domain availability register: free taken buy
queue queues messages rabbitmq kafka sqs: waiting backlog stuck; topic partition kafka: stream
consumer lag: behind slow
dead letter: failed undelivered; publish message: send put; purge queue: empty; event bus; mqtt: device; webhook
feature flag flags launchdarkly toggle: switch feature rollout turn enable disable; flag targeting: users percent
experiment ab test variant: winning better version results split; segment: audience; rollout percentage: users
worker deploy cloudflare: script; kv namespace: store; r2 bucket: file; cache purge: stale old; page rule; d1 database
vercel netlify deployment: live site; build logs: failed; function: endpoint; domain; rollback: previous
s3 bucket: files stored; ec2 instance: machine server; lambda: function; cost explorer billing: spend expensive bill
iam role user permissions: allowed access; cloudwatch logs: printed; rds database; vm virtual machine proxmox: box

vault secret secrets: password credentials key token passwort kennwort; password generate: strong
1password item: login
rotate key: renew change; leaked breach pwned: hacked stolen; certificate; encrypt decrypt: secret; totp: code
backup backups restic: safe copy sicherung; restore backup: lost recover back wiederherstellen; snapshot: state
retention
sync: same both; disk usage: full space; raid drive: broken; archive: old; schedule job cron: nightly every
ldap okta directory user: account login; user create: new colleague account
user deactivate suspend: left disable fired
password reset: forgot; group add: access; mfa factor: second phone; session revoke: logout; sign in log: logged
vulnerability scan cve: hole holes unsafe; malware virus hash: infected; threat ip reputation: suspicious bad; phishing
audit log: who changed; permission: may; siem alert: attack; compliance: rules; sast finding: code insecure

family tree person ancestor genealogy: grandfather grandmother ancestors born relatives vorfahren
relationship: related
museum artwork: painting artist; history: past; census: lived; grave; photo album: pictures
match game score fixtures team sports: won played plays bundesliga spiel football soccer; standings table league: leads
player statistics: goals scored; schedule fixtures: next play when; odds: bet; lineup; race formula f1: driver
game steam chess: play; player games played: hours; move chess: best; puzzle; achievement; dice: roll; lottery
book books isbn author library: novel read buch lesen; book search; loan due: borrowed; reading list: want
quote quotes: said famous; poem; joke: laugh funny; trivia quiz: question; fact: interesting; name generator
school course canvas moodle: class kurs; assignment homework: hand due; grade: mark note; student: pupil; lecture
flashcard anki deck: learn vocabulary cards; exam; tutor; language lesson
house property listing real estate: buy rent flat wohnung apartment haus; price estimate: worth; neighborhood: area
job jobs search: vacancy work hiring stelle; resume cv: application lebenslauf; salary: pay earn; company: employer
event events eventbrite: concert happening weekend veranstaltung; ticket: buy seat; venue: place; wedding guests rsvp
pet: dog cat vet; charity donation: give; church; election: vote; politician bill parliament: law; government data
ads campaign google: advertising anzeige clicks; keyword: search; seo backlinks: link
analytics traffic: visitors pages
mailchimp audience subscribers: newsletter list; campaign send: mailing; open rate: read; landing page; form submission
survey responses typeform: answers answered; poll: vote; booking link calendly: appointment; event types: slots
zendesk intercom ticket conversation: customer complaint request support; ticket reply: answer customer
help article: faq
miro whiteboard sticky: note board; figma frame node: design layer; component: button; styles variables: colours fonts
canva design: poster; slide: page; sheet cell range: excel table; chart: graph; formula: calculate; pivot: per
jupyter notebook cell: run code; bigquery snowflake dataset: warehouse table; dbt model: transform; airflow dag: job
spreadsheet append rows: add lines; postgres object details columns: constraints columns fields table structure
object details: columns constraints fields indexes looks; schemas: areas; explain plan: why slow; index tune: faster
sqlite mysql mongodb postgres: database db sql rows table collection; execute sql: run query select
collection indexes: lookups; aggregate: group per; insert: add put; update many: all set raise; count: many; drop
commit changes git: record; ssh remote host: server machine; desktop window: screen; click screen: mouse
clipboard: copied
shortcut automation: run; apple reminder: remind; notes: note; zapier action: automate; n8n workflow: automation
model inference huggingface: ai; dataset: data training; space: demo; fine tune: train; prompt: text; gpu: graphics
permissions drive share: who see access; drive file search: find where; drive folder: sort; file export: save as
`
