import { stemOf } from './read-request.ts'
import { SUBJECTS } from './related-subjects.ts'
import { TOOLS } from './related-tools.ts'

/**
 * Words that people use, and the words that makers of tools use instead. Entries end at `;` or a line break.
 * `a b c` are synonyms. `a b: c d` means: a request with c or d may mean a tool with a or, better, with a and
 * b. Written by hand from general knowledge of many kinds of servers. A general thesaurus finds less, because
 * it joins words with other meanings (WordNet has *issue* beside *offspring*). German words are included
 * where people use them most.
 */
const WORDS = `
file document doc; folder directory dir path; tree hierarchy structure nested recursive; content contents text body
file contents text: txt md log says poem letter readme pdf docx lines script notes.txt datei dateien
file image media: jpg jpeg png gif photo picture bild bilder foto
directory folder list: inside desktop downloads ordner verzeichnis subfolders
file write create: save store dump export speichern; read file contents text: load say says lesen inhalt
edit file: swap replace substitute typo line lines sentence
move rename file: called call name relocate into verschieben umbenennen
info metadata size details stat properties: big large touched heavy bytes permissions owner modified grösse
sizes size space disk usage: big biggest large largest space heavy fat takes room storage megabytes
allowed permitted access permissions scopes: may permission reach see able authorised authorized
multiple batch bulk many: several both these those together once all fifty dozen each every ten hundred go
search glob pattern: where find all locate named ending extension; copy duplicate clone replicate: twin same again
zip archive compress pack bundle: shrink smaller; extract unzip unpack decompress; trash bin recycle: throw
download: save get grab local fetch disk computer onto; upload attach push import: put add send give cloud
backup snapshot restore: safe recover save; watch monitor observe subscribe: follow notice
diff compare difference changes: differs different changed versus between
calendar agenda diary schedule: kalender
event appointment meeting call session: lunch dinner breakfast dentist doctor standup party birthday coffee interview
event appointment meeting call session: date termin treffen besprechung thing wedding lecture sync noon
event calendar time date: today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday week
event calendar time date: weekend month morgen heute montag dienstag mittwoch donnerstag freitag am pm noon morning
event calendar time date: afternoon evening oclock
create event: book schedule plan arrange put block reserve invite eintragen trag
update event reschedule: push move shift postpone delay earlier later; delete event cancel: cancel absagen
freebusy availability available free busy slot: both gap time fits suitable meet available busy free
respond rsvp invitation accept decline: invite yes no attend come join maybe; attendee participant guest invitee
task todo reminder item action chore: remind laundry groceries errand buy water gym homework do aufgabe erinnere
task todo reminder item action chore: erinnerung
complete close done finish resolve: tick check off finished did done completed; due deadline: by until till
reschedule postpone due move: push later; assign assignee owner delegate: give responsible charge hand
timer alarm countdown: wake minutes remind egg; recurring recurrence repeat: every weekly daily monthly

email mail message inbox gmail: letter correspondence newsletter wrote write mailbox nachricht schreib schreibe mails
email send message: write tell shoot drop line inform let know boss landlord ask
draft compose prepare: prepare unsent later yet; search emails: did anybody about received
label tag category folder: mark tags star; filter rule: always automatically auto whenever rule
modify labels archive: archive read unread star move mark; attachment attached: pdf file came paperclip
reply respond answer: back antworte under below; forward: pass on; spam junk phishing; unsubscribe: stop newsletter
contact contacts person address: phone number book card buddy
channel room conversation chat group: everyone team general random raum
message post chat send: tell announce say write let know inform ping
history messages recent: said say say talked read past discussed missed
thread replies conversation discussion: answered under; reaction emoji react: thumbs thumb heart like smile smiley
direct dm private: whisper privately
user member people person account: who whom colleague anybody somebody everyone coworker wer
profile user details info: title job phone role who photo; channel create: room; invite add member: join bring
presence status: online away; pin pinned bookmark; notification notify alert: tell warn; sms text message phone: text
call phone dial: ring

issue bug ticket defect problem task story: broken crash report crashes error feature complaint wish printer fehler
issue bug ticket defect problem task story: kaputt; issue create: report file open lodge
issue update: close reopen label assign priority status
comment remark note feedback review: reply write say leave annotate opinion under thoughts think reviewers anmerkung
pull request merge mr pr: pr prs mr mrs patch proposal contribution propose changeset
merge: land accept into integrate combine take; create pull merge request: propose ask submit offer
review approve: approve lgtm reject changes look feedback
files diff changes changed: touch touches touched modified altered different
status checks ci pipeline build: pass passed green red fail failed ci checks tests; branch: hotfix feature main master
commit push: upload save record; commits history log: history changed lately recent past
repository repo project codebase: playground open source code popular git; fork copy: own copy someone
release version tag publish: shipped ship rollout deployed versions
pipeline workflow action run job build: builds ci test tests deploy runs; retry rerun restart: again once more repeat
job output trace log: print printed fail; code search: function class usage used snippet implementation symbol
file contents repository: readme package.json source; wiki page: wiki article documentation onboarding
sprint cycle iteration milestone: sprint; board kanban
transition status state: progress done start move column review; worklog log time: hours spent logged worked
link relate dependency relation: blocked blocks connect connected depends related duplicate
epic parent subtask: under child part; label tag: mark; my assigned me: mine plate my me own im
search jql: assigned mine open find; project initiative; milestone roadmap; gist snippet
star watch favourite favorite
error exception issue crash failure: stacktrace crashes stack went wrong bug broken traceback
analyze analysis root cause: why reason cause explain repair; event trace: slow request
resolve resolved: fixed solved done; vulnerability security dependabot alert: insecure unsafe leak cve
secret scanning: leaked; deploy deployment rollout
query sql select execute database: rows many count average sum orders total zero records
tables table database schema list: tables; describe schema table columns structure: columns fields types what has
execute write modify sql: set update delete insert change; explain plan: why slow
slow top queries statements: slowest time eat expensive heaviest; index: faster lookups speed
health status: ok well healthy fine doing alive working; record row entry item: rows lines entries
field column attribute property; collection table; insert add row record document: put; aggregate count sum
migration migrate; transaction rollback commit; key value cache redis: remember; view dashboard chart report
navigate url browser open goto visit: go website site homepage address .org .com www open visit
back previous: return before; click press tap: push press button hit link
type fill enter input text: write name field enter
form fill fields: complete registration sign up address form checkout
screenshot capture image snapshot picture: picture looks look photo shot photograph
snapshot accessibility page: see structure; hover mouse: hold over pointer; select option dropdown choose: pick choose
press key keyboard: escape enter tab hit key; upload file: attach cv chooser
wait: until hold appears appear loaded pause; tab tabs: another tab; console messages log: errors javascript warnings
network requests: http calls loaded traffic ajax xhr; evaluate script javascript: run execute js document
dialog alert prompt: popup accept dismiss confirm; resize window: wide width height bigger smaller pixels
close: shut quit exit; scroll: down further bottom; drag drop: pull; page website web site url: page
cookie storage session; pdf print page: print save; fetch url web page: article http https read website link
html markdown content; crawl scrape extract: site all pages links gather
web search internet online: google internet online find net what who latest im
news headlines article: happening headline election latest world press; image search: pictures photos
local places business nearby: near around plumbers shops shop; summarize summary digest: sum gist short brief
research paper article study: papers scientific literature

weather forecast temperature conditions: umbrella rain snow sunny sun storm wind windy cold warm hot cloudy degrees
weather forecast temperature conditions: jacket coat wet dry outside freezing wetter regen regnet humid heat
current now live realtime today: now right moment outside currently just jetzt gerade
forecast: will tomorrow weekend week next days going be later monday tuesday wednesday thursday friday saturday
forecast: sunday upcoming wird morgen; alerts warning: storm warnings danger dangerous hurricane tornado warned flood
air quality pollution: air breathe polluted smog clean
historical history past: was were last ago yesterday christmas then year earlier did
marine ocean sea wave: surf swim swell beach boat sailing; sunrise sunset astronomy sun moon: dark light dawn dusk
location city place: where; geocode coordinates latitude longitude: address gps position where lat street
reverse geocode address: street coordinates at
places search nearby: restaurants restaurant pizza cafe hotel around good eat shop pharmacy near bar hungry museum
place details: open opens opening hours phone website museum reviews
distance matrix travel time: far long kilometres kilometers miles drive weit entfernt
directions route navigate: way get from station foot walk drive bus train weg komme there bike car
elevation height altitude: high mountain above sea hoch; time clock hour current: late clock oclock time spät uhr
timezone zone convert time: berlin new york tokyo london if; convert transform change: turn into as
currency exchange rate convert: dollar euro euros pounds yen dollars; traffic: jam
flight airline airport: fly plane flying; hotel accommodation lodging: stay room night sleep
booking reserve reservation: table
note notes memo page document vault: jot diary journal idea notebook notiz; page: page article
create page note document: start write new; append content block add: end bottom paragraph below add jot diary journal
patch insert heading: below heading under insert; block children content: paragraph paragraphs section
search notes pages title: mention mentioned about find where; database query entries: list entries unread reading
properties property update: status set; periodic daily note: today daily journal today
recent changes recently modified: lately last worked recent
entities entity node: person called someone remember mind there
relations relation edge: works knows connected married friend lives between relationship
observations observation fact: likes remember that loves hates prefers allergic fact
delete entities: forget altogether
knowledge memory graph store remember: know stored remember recall forget mind merk
search nodes memory: anybody know who anyone; open nodes: know about; read graph: everything all whole stored
bookmark; highlight
customer client buyer subscriber: clients paying buys register; contact lead person: leads address book met
company firm organization business account: firm; deal opportunity pipeline: opportunity sale sales worth
engagement note activity: phoned called met talked; invoice bill: bills bill owes unpaid rechnung
payment pay charge transaction intent: pay paid money; payment link: url people pay checkout link
refund reimburse: money back return; price cost plan: charge month euros dollars cost costs worth
product item article goods; coupon discount promotion code: percent off voucher
balance account: much money have left funds; subscription plan: monthly end recurring membership abo
dispute chargeback; order purchase: bought ordered order; stock inventory warehouse quantity: left pieces
shipment delivery parcel tracking: package arrive arrived shipping; payout transfer: money
stock ticker quote market: shares share price nasdaq apple; expense spending budget: spent cost spend
crypto coin bitcoin price; tax vat; employee staff people hr: worker hired colleague; candidate applicant recruit
leave vacation absence holiday
pod container instance: running crashed pods box boxes; pods list cluster: running; cluster kubernetes k8s: cluster
log logs output: print printed wrote say said crashed saw; exec command run: run inside
top resource usage memory cpu: most uses loaded use busy heaviest hungry
events: odd happening strange happened lately; namespace; resource manifest yaml apply: apply deployment manifest
scale replicas: replicas copies more instances many; helm chart release install: deploy chart charts
node machine host server: machines loaded; image: images; pull image: download get; build image: make dockerfile
run container start: spin up launch start; stop: shut halt down; remove: throw away old; network; volume disk
compose stack; process program running: programs program running pid app; kill terminate process end: stop kill end
command terminal shell execute run process: npm run command bash test; input send interact: type answer
config configuration setting settings option: setting default preference einstellung
usage statistics stats analytics: used often many; metric monitor measure dashboard
incident outage pager oncall: down emergency; service daemon; bucket object s3 storage: bucket
function lambda serverless invoke; instance vm machine ec2; dns domain record zone; certificate ssl tls
secret password credential key vault; environment variable env; package dependency library module
light lamp brightness bulb: lights lamp bulb licht lampe dark bright
light set brightness color: dim blue percent red bright brighter darker warm colour green
color colour: colours colors blue red; turn on switch activate enable: on licht an
turn off deactivate disable: off kill out aus
climate thermostat temperature heating: heat warm cold heating warmer cooler degrees hot heizung
temperature: warm cold hot degrees; vacuum: robot clean floor dust hoover; return base dock: home back send
cover blind position shutter curtain: blinds halfway open curtains roller; lock door: lock unlock door
garage gate door window; state status get: is open closed on off
list item shopping: milk eggs shopping groceries buy put; scene mode; sensor device entity; camera: see watching
media player: tv movie speaker; music song track spotify: song songs listen hear band artist music lied musik
play music start: put on hear play listen spiel; pause playback stop: stop moment halt silence quiet hold
next skip: next dont like another forward; previous skip back: last again before back
now playing current: what this song playing; playlist: mix list party mixes compilation; add playlist: put
queue: after next then later want; volume: louder quieter loud softer lower turn down up lauter leiser quiet
recently played history: listened yesterday heard listen earlier; library saved favorite like: saved love liked
album artist track search: called by song; device devices speaker: speaker
video film movie clip: videos clips watch film; transcript subtitles captions: said says saying spoken
video details: views watched likes long; channel statistics: subscribers followers many; comments: viewers think
shuffle random; repeat loop; podcast episode show; audio speech voice speak: read aloud say
transcribe speech text: spoken recording; image generate: draw picture paint illustration
spreadsheet workbook sheet excel: workbook numbers budget tab table xlsx tabelle; sheet tab worksheet: tab tabs
sheet data read values range: numbers column row cell; update cells cell write: b7 a1 cell write into
rows row add insert: lines empty line; create spreadsheet workbook: fresh new; rename title: called name call
share permission invite access: give access let see collaborate show
chart graph plot diagram: bar diagram draw pie visualise; formula calculate; formatting format: bold
slide presentation deck; design figma frame layer component: selected picked layer designers mockup frame
code generate: react html turn into; variables styles tokens: colours colors fonts spacings spacing
export: turn into as pdf save; revisions versions history: earlier who changed older previous; document google doc
translate translation language: french spanish german english italian auf übersetze übersetzen how say languages
rephrase rewrite paraphrase improve: nicer words better reword polite; target languages: languages into
source languages: languages from; document translate: docx pdf in; dictionary definition meaning: means word
grammar spelling correct check; sequential thinking think reasoning: step
math calculate compute calculator: plus minus times sum; echo repeat; random number generate dice; qr code barcode
hash checksum; encode decode base64; json yaml xml csv; regex pattern; template; form survey questionnaire: answers
vote poll; recipe cook dish meal: cook eat; health fitness workout steps: ran run sleep
begin start commence initiate launch; big large huge; small tiny little; fast quick; people users members persons
picture image photo; purchase order buy; case ticket request; client customer; firm company organization
flat apartment listing; article entry page; study paper; help support; website site domain; bill invoice
staff employees; boss manager; shop store; mug product; alarm alert; machine server instance computer; repo repository
directory folder; remark comment note; tag label; colleague teammate coworker member; movie film video; song track
house home; lamp light; password credential secret; vacation holiday leave; mobile phone; schedule timetable calendar
amount quantity count; kind type category; remove delete; modify update; retrieve get fetch; wipe delete purge
average mean aggregate; terminate stop kill; shut close; locate find; rename title; duplicate copy; send deliver
talk chat conversation; book reserve; outage incident; revert undo rollback restore
status working tree changed: changed recorded dirty uncommitted; commit record: seal save record check in
stage add staging: stage next ready; unstage reset: undo unstage; unstaged diff: yet pending
log commits: last history recent who; create branch: line work off; checkout switch branch: go over jump onto change
show commit: did do contain; push remote: publish server; pull fetch remote: latest update newest sync
stash: aside put away later; merge branch: combine bring; tag: mark; blame: who wrote line
clone repository: copy local download; rebase; cherry pick
find documents collection query filter: get people older younger where records matching
aggregate group pipeline: average per total sum country each; insert documents records many: put add records
update documents records many: set every bump raise change
delete documents records many: wipe purge older clean out go; drop table collection: get rid whole
count documents: many number hold; create table: place hold keep new; alter table column: add change
read query select: who best most ten top which db
write query insert update delete: bump raise increase set everyone db; backup restore dump
hash set get key redis: cached; keys scan pattern; expire ttl: seconds expires live
vector similarity semantic search: similar alike like; embedding collection
server guild: discord; role permission: moderator admin rights
moderate delete message timeout ban kick: take down rude remove block insulting troll
read messages history: catch up missed chat lounge; contact search: number; chats list: chatting talking with
media download message: photo; send file media: photo picture document; send voice audio message: spoken record
card list board: column backlog doing todo; cards list: column in what; add card create: put backlog
move card: drag over done; archive card: obsolete away old; lists board: columns
board activity recent: happened lately; checklist item: steps; story task: story; poll create: vote
ticket support case request: case request customer customers complaint; ticket comments: said conversation case
comment ticket reply: answer customer respond; articles help center knowledge base: help text how guide faq manual
tickets list: cases came today queue; escalate priority: urgent; satisfaction rating survey; macro template
agent group assign
query records soql: which opportunities leads accounts; describe object fields metadata: fields has what
records dml insert update: change stage record won; opportunity deal: close quarter stage won lost; lead convert
campaign marketing newsletter: mailing; audience list subscribers; pipeline stage; forecast sales revenue
dashboard search: board graphs panel screen; prometheus metrics query promql: rate requests cpu hour latency
logs query loki search: logs timeouts; alert rules alerts: alarms firing alarm ringing
incident create: declare outage; oncall schedule users: duty pager tonight shift; monitor check: watch uptime
uptime ping health check: up reachable alive; trace span: slow; error rate slo; acknowledge incident: seen got it
inbox messages list mail: new unread anything; send mail: mail write to; contacts list: address book
teams chat message: ping; folder mail move; vacation responder auto reply: away office
stock info price ticker quote: trading shares tesla apple microsoft google worth
historical prices stock: develop past year shares performance history went; news ticker: papers writing
recommendations analyst: buy sell analysts rating
financial statement income cash balance: profit earn earned revenue loss make; options chain; dividend
portfolio holdings positions: own invested; exchange rate currency: worth euros dollars
transactions list bank account: spent spend booked; transfer money account: send wire move
transaction create expense: spent; category budget: left; order place trade: buy sell
crypto price: bitcoin ethereum worth
listing search accommodation: place stay people flat apartment room
listing details amenities: flat has washing machine pets kitchen; flight search: fly plane cheapest
hotel search: sleep night; train departure timetable station: train next leaves leave bus; booking create: reserve
product products list: sell offer have range; create product: offer sell new; orders list: buy bought purchases sold
order get status: purchase way arrived shipped; inventory stock adjust level: more warehouse got left
discount create code: percent off cheaper; update order shipping address: parcel should go
fulfillment ship order: send out; cart checkout basket: buy; review rating: stars opinion; price compare
restaurant table reservation: eat dinner; ride taxi car: drive pick; parcel tracking shipment: where package
papers search: scientific work research literature about; download paper: fetch have here; read paper: say study
wikipedia article: encyclopedia entry; summary: brief short; citation bibliography reference: cites
book isbn author: novel wrote; library documentation docs: library api manual how use
dns record: point www subdomain; zone domain: domains; bucket object list storage: stored backups
buckets list: storage; upload object bucket: put; deploy worker function: ship
purge cache: flush old visitors still stale; analytics traffic visitors: visitors visited views many
instances list describe virtual: machines vms up running; stop instance machine: power down shut off
start instance machine: power up boot; reboot restart: again; invoke function lambda: call payload
log events group: print function; cost usage billing report: spend spent expensive bill month; queue message
deployment list: live released; deployment rollback: undo back; deployment logs build: failed; domain
environment variables: variables set; ssh remote; terraform plan apply infrastructure
security group firewall: port open; iam user role policy: rights; autoscaling; database instance rds
meeting create schedule video conference zoom: video call set up; meetings list upcoming: calls coming
recording meeting cloud: recorded; delete meeting cancel: off call; meeting participants: who attended
transcript meeting: said; livestream stream
activities list recent: run ran ride cycled jog training workouts far; activity details: ride heart rate pace
athlete stats totals: total year record; sleep data: slept; steps; weight body: weigh
nutrition food calories: ate eat
add sum numbers: plus sum; subtract: minus; multiply: times; divide; env environment variables print: variables
tiny image: small picture; echo repeat: after say back; llm sample prompt; long running operation
thinking sequential thought: step plan problem
pdf merge combine: join together; pdf split: pages separate; pdf text extract: read; ocr text image: read scan letters
resize image scale: smaller bigger; crop image: cut; convert format: turn into
image generate create: draw paint picture; background remove image; compress image; video trim cut; audio convert
upscale; watermark
tweet post publish: twitter say; timeline feed: new; like favourite: heart; follow user; trending topics: popular hot
subreddit posts: reddit; job postings search: jobs vacancy; profile linkedin
blog post article wordpress create: publish write; publish schedule post; media library; comments moderate approve
page seo
vulnerabilities scan: unsafe holes hacked; password get item vault: login credentials; password generate: strong
secrets list; two factor code otp
employee directory: works; time off request: vacation free holidays
time entry tracking start: clock track working timer hours; time entries report: worked hours; payslip salary
form responses submissions: answered answers filled; survey create questionnaire
signature envelope document sign: sign contract; contract
camera snapshot image: see front door looks; alarm arm disarm security; scene activate: movie mood night
automation trigger routine; fan humidity; washing machine dishwasher appliance; battery charge car: charged range
energy consumption power: electricity uses; printer print; lock door: secure; doorbell; speaker announce tts: say
tv channel source
flashcard deck anki: learn cards; quiz; 3d object scene blender: cube model; render; material texture
clipboard: copied copy; system info: computer machine; open application app: start program; window focus; battery
wifi network; command history; port: listening; ps processes list: running; session terminal: output
read process output: prints shows; start process command: run; search code grep: inside
symbol references definition: defined used who calls; rename symbol refactor; test run tests: tests; lint format
notebook cell jupyter run; package install: install library; package search
reminder create: forget remember remind; reminder done mark complete: done packed finished got over
reminder delete: mind nevermind; unread fetch: new looked seen yet post; mark read: seen read all
flag star: important star later; folder move message: file under sort
thread conversation: whole forth between exchange; delete message mail: bin advert junk rid lottery
send message: text ping tell write; messages get read: wrote said lately posted latest
block user: stranger hear harass; mute notifications: pings quiet bother bothering noise silence
leave group chat: out quit; pin message: top keep visible; edit message: typo fix wrote; group create: group
followers add: loop watch informed involved; me authenticated current whoami: logged myself account
notifications list: attention new; dm direct: privately
store set key value: store under; expire ttl: vanish disappear seconds; note create: down jot take
note update: also mention; note delete: needed; notebooks list: grouped organised organized
transactions list: came went spent received; invoice reminder send: nudge paid overdue remind
invoice cancel void: withdraw wrong; invoice send: bill; disputes: complaining complaint
prune cleanup unused: leftovers clean free old dangling; container stats: eating ram cpu memory
exec container run: inside within check; inspect container: ports expose details; describe resource: details
get resources services list: exist services; logs: complaining output; port forward: reachable localhost
rollout undo: former back version; cordon drain: maintenance; favorites: preferred radio stations liked
say announce speak: over speakers aloud; sleep timer: end itself half hour; group rooms: same
light set: dark bright gloomy everything upstairs; scene activate: cosy cozy romantic
volume set: noisy loud soften quiet; formula apply: sum equals add average above; pivot table: per crosswise by
chart create: visualize visualise pie bar curve draw; merge cells: single one box
format range: bold yellow header color font border; worksheet sheet delete: tab needed; filter sort rows: order by
detect language: written tongue identify which; translate: means mean heißt meaning word say
linkedin people profile search: managers engineers find; company research: background firm
task create: somebody has must should needs; task update assign: give hand
dependencies set: before begin blocked until wait; project status: schedule track going
replay session: user did before broke; mute ignore issue: bothering known; cron monitor: check ran night
person contact update: another number moved changed; convert lead: prospect serious deal
activity create: plan call phone; merge: same twice duplicates; design create: poster flyer banner logo invitation
design export: png give; design search: flyer poster last
place poi category nearby: gas petrol fuel atm cash fill parking charging bakery
isochrone reachable: within minutes everywhere; static map: picture map; traffic incidents: jams jam blocked road
timezone zone offset: offset; time current: night day already there; time difference zones: behind ahead hours
fact add remember memory: keep birthday sister brother favourite; fact recall memory: when was told you what did
fact delete forget: wrong lose longer; shared link create: url others; space usage quota: full left nearly free
restore revision version: yesterday messed earlier undo; search web: won latest find out
crawl extract url: pull text from; air quality pollen: dust breathe; flood river: banks rise
weather archive historical: was wet dry hot; elevation altitude: metres meters above level
uv index sun: sunglasses sunburn sunscreen; forecast weather: sunglasses sunny morgen; gist create: snippet
sub child parent issue: child under; copilot agent assign issue: ai let fix; security scanning alerts: holes
workflow run dispatch trigger: kick off nightly; workflow rerun failed: try again broken; cancel run workflow: abort
update branch pull: behind up date sync; delete file: take out repo; user search: developers people; procedure execute
kill session: blocks end; backup create: safe copy; fill input: put box enter; select: pick size
navigate browser: bring up; screenshot: snap look
dataset data table; model ai; prompt template; agent task delegate; playlist create: mix; lyrics: words text
radio station; recipe search: cook ingredients; shopping list item add: buy milk; meal plan; water plant garden
calendar share; resource list; notification list; audit log: who did changed; permission grant: allow rights access
permission revoke: take away; access list members: who can see; team members list: who belongs; project create: new
project list: projects which; label create; version compare: between; undo revert: back; archive: away old done
unarchive restore: back again; export download: save out; import upload: bring in; preview: look before
validate check verify: correct valid right; approve: okay fine agree; reject decline: no refuse
subscribe follow: keep; unsubscribe unfollow: stop; enable activate: on; disable deactivate: off; lock unlock
sync refresh: update newest
language translate text: italian dutch polish russian chinese japanese greek turkish portuguese latin arabic korean
language translate text: thank translate word phrase; spoken transcript: clip write out
directions route: car way driving walking cycling
places: shops shop coffee close bakery doctor hairdresser supermarket cinema; convert time zone: utc gmt est cet pst
current time clock: hour; alert rules list: warnings active; issue details: more crash about tell
search issues errors: exceptions recent backend; balance: funds; next skip: following; permissions info: executable
html code design generate: html css; list pipelines: ci runs recent; get file info: permissions
tickets: requests support; events calendar list: meetings coming appointments; memberships subscriptions: running
type fill text: box into search; screenshot take: picture website page; pull create request: submit changes merging
note search: talks mentions notes about
`

const alike = new Map<string, Set<string>>()
const meant = new Map<string, string[][]>()
for (const entry of `${WORDS}${SUBJECTS}${TOOLS}`.split(/[;\n]/u).filter(each => each.trim() !== '')) {
  const [tools = [], people] = entry.split(':').map(side => side.trim().split(' ').map(stemOf))
  for (const word of people ? [...people, ...tools] : []) meant.set(word, [...(meant.get(word) ?? []), tools])
  for (const word of people ? [] : tools) alike.set(word, new Set([...(alike.get(word) ?? []), ...tools]))
}

/** The synonyms of a stem, including itself. */
export const sameAs = (stem: string): ReadonlySet<string> => alike.get(stem) ?? new Set()

/** Groups of stems that a request with this stem may mean. A tool with two stems of a group fits better. */
export const meantBy = (stem: string): readonly (readonly string[])[] => meant.get(stem) ?? []
