import { stemmer } from 'stemmer'

/**
 * Words that people and makers of tools use for the same thing, one group a line, in plain forms. A word may stand in
 * several groups. Written by hand from the lists of tools of common MCP servers; a general thesaurus finds less, because
 * it joins words that mean the same elsewhere (WordNet has *issue* beside *offspring*).
 */
const GROUPS = `
create add make new insert open start compose draft write set up register generate
delete remove erase drop discard trash clear destroy unlink get rid throw away purge wipe
list show display enumerate what which all overview browse view see
get fetch retrieve read look up obtain load details info information view show open tell
search find query look for locate seek discover lookup where
update edit change modify alter adjust amend patch revise correct fix set
rename relabel title name
move relocate transfer shift put
copy duplicate clone replicate
send deliver dispatch mail email message post write notify tell
reply respond answer
forward pass on
receive inbox incoming unread
upload push attach import put
download pull save export fetch grab
run execute launch start invoke perform trigger
stop cancel abort halt end terminate kill
pause suspend freeze hold
resume continue unpause
restart reboot reload
close shut resolve finish complete done mark
open reopen
merge combine join integrate
split divide separate
compare diff difference contrast versus
convert transform translate change turn into
compress zip archive pack shrink
extract unzip unpack decompress
count number many total tally amount
sum add plus total addition
subtract minus difference
multiply times product
divide quotient
calculate compute evaluate work out math arithmetic formula
average mean
schedule plan book arrange set up appointment calendar reserve
calendar agenda diary schedule event appointment meeting
meeting call conference appointment event standup session
invite attendee participant guest
available free busy availability slot
reminder remind alarm alert notify notification
task todo ticket issue chore item action job
issue bug ticket defect problem report
assign give delegate assignee responsible owner
label tag category
priority urgent importance
comment remark note annotate reply
due deadline date
milestone sprint iteration
board kanban column list
project workspace
repository repo codebase git project
branch fork
commit revision change history checkin
pull request merge request review pr mr
review approve feedback
release version publish tag
deploy ship release publish rollout
build compile ci pipeline workflow
test check verify
code source program script
file document doc text
folder directory dir path
size large big bytes space
permission access right share role
share invite collaborate access
user person people member account profile contact employee colleague teammate who
team group organization department
contact address phone number
customer client buyer
company organization business firm account
deal opportunity sale lead
order purchase buy
invoice bill receipt
payment pay charge transaction
refund reimburse money back return
price cost quote rate
subscription plan
product item article goods
stock inventory warehouse quantity
shipment delivery parcel package tracking ship
expense spending cost
budget finance money
account balance bank
currency exchange money rate dollar euro
share stock ticker market quote
email mail message letter
channel room conversation chat
message text post dm
thread conversation discussion
emoji reaction react
phone call dial ring
sms text message
contact
image picture photo screenshot drawing
screenshot capture snapshot screen picture
resize scale shrink enlarge
crop cut
video film movie clip
audio sound music song
song track music play
playlist queue
volume loud
transcribe transcript speech dictation
speak voice read aloud tts
weather forecast temperature rain sunny
map route directions navigate way
distance far
place location address spot nearby venue restaurant
coordinate latitude longitude geocode address position
travel trip journey
flight plane airline
hotel accommodation stay room
time clock hour now
timezone zone time
date day today
web internet online site page
page url link website site
browse visit open navigate go to
click press tap push
type enter fill input
form field
scroll
html markup
news headline article
translate language
summary summarize summarise digest overview short gist
database db table sql
sql query select statement
table schema columns structure
row record entry
column field attribute
index
backup save copy restore
migrate migration
log logs record history trace
error exception failure crash fault
metric measure statistics stats performance
monitor watch observe track
alert incident outage alarm
dashboard chart graph plot visualise
chart graph plot diagram
server machine host instance
container docker pod
cluster kubernetes
service daemon
process program running
memory ram
disk storage space drive
cpu processor load
network connection ip
domain dns name
certificate ssl tls
secret password credential key token
encrypt cipher protect
decrypt
lock unlock
note notes jot memo write down
notebook page wiki
remember memorize memory store keep save
recall remember memory
forget remove memory
knowledge fact entity graph
entity node thing object
relation relationship edge link connection
observation fact
bookmark favorite favourite star
history past previous earlier recent
recent latest last newest
old stale previous
status state progress condition
health alive ping up working
config configuration setting option preference
environment variable env
install setup add
package dependency library module
version
light lamp brightness bulb
temperature thermostat heating warm cold
door lock
device sensor gadget
turn on switch enable activate
turn off switch disable deactivate
random dice
password generate
hash checksum digest
encode decode base64
parse read
validate check verify lint correct
format pretty beautify
sort order arrange
filter only where
replace substitute swap
regex pattern
json yaml xml csv
spreadsheet sheet excel cells
cell range
slide presentation deck
pdf
print
sign signature
template
form survey questionnaire
vote poll
course lesson
recipe cook dish meal
food nutrition calories
workout exercise fitness
health medical
book novel
author writer
paper article study publication
citation reference cite
follow subscribe
unfollow unsubscribe
like heart upvote
block ban mute
approve accept confirm allow
reject decline deny refuse
hire employee recruit candidate applicant
leave vacation holiday absence
salary payroll
wait sleep delay
echo repeat say again
think reason step
developer user person programmer coder
said say told talk message messages conversation history
voucher coupon discount off
degree temperature warm cold hot cool
heating thermostat temperature
loud louder quiet quieter volume sound
high height elevation altitude above
far long distance away
near nearby around close place
song track music
mix playlist
on turn play start activate enable
put add set play
lights light lamp
dim bright darken
scene mode mood
garage gate door window
open closed state status
next skip
after queue next
from way route directions travel
print output logs log
rollout deploy apply roll
back rollback revert undo previous return
broken rollback fix
copy copies replica instance scale
yaml manifest config configuration
bottom end append tail
top beginning prepend
rows records entries database
unread read status filter
file report create submit
title job role profile
phone number profile
picture screenshot image capture
upload attach
spinner loading wait
hold wait until pause
chargeback dispute
bill invoice
client customer
letter email mail message
spam junk
job cron task schedule
boss manager
schedule book create event appointment
announce tell say inform post message team
used usage where search find
prepare draft compose write
out off
lower decrease reduce down set
raise increase up set
thumbs thumb reaction react emoji
station museum airport street place direction route
`

const relatives = new Map<string, Set<string>>()
for (const line of GROUPS.trim().split('\n')) {
  const stems = line.split(' ').map(stemmer)
  for (const stem of stems) {
    const known = relatives.get(stem) ?? new Set()
    for (const other of stems) if (other !== stem) known.add(other)
    relatives.set(stem, known)
  }
}

/** Stems that often mean the same as a stem. */
export const relatedTo = (stem: string): ReadonlySet<string> => relatives.get(stem) ?? new Set()
