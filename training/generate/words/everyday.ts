import { list } from './list.ts'

export const foods = list(`
peanuts, nuts, milk, eggs, gluten, shellfish, soy, strawberries, kiwi, apples, tomatoes, bananas, sesame, mustard, celery, fish, shrimp,
wheat, honey, chocolate, cheese, walnuts, almonds, hazelnuts, cashews, garlic, onions, mushrooms, avocado, mango, pineapple, oranges,
lemons, cherries, peaches, pears, plums, grapes, melon, spinach, kale, broccoli, cauliflower, carrots, potatoes, beans, lentils,
chickpeas, rice, pasta, pizza, bread, butter, yogurt, cream, ice cream, curry, sushi, ramen, tofu, falafel, hummus, pancakes, waffles,
soup, salad, olives, pickles, cucumber, peppers, chili, ginger, cinnamon, mint, parsley, coriander, basil, coffee, green tea, black tea,
lemonade, apple juice, beer, red wine, white wine, cider, liver, lamb, beef, pork, chicken, turkey, duck, salmon, tuna, cod, sardines,
oysters, mussels, squid, oatmeal, muesli, cornflakes, popcorn, crisps, dumplings, noodles, lasagne, risotto, paella, tacos, burritos,
pumpkin, zucchini, aubergine, beetroot, radish, leek, cabbage, asparagus, artichokes, figs, dates, raisins, apricots, coconut, papaya,
licorice, marzipan, vanilla, caramel, jam, blue cheese, goat cheese, feta, mozzarella, salami, ham, bacon, sausages, meatballs`)

export const hobbies = list(`
hiking, swimming, running, cycling, climbing, chess, knitting, painting, drawing, cooking, baking, gardening, reading, dancing, singing,
fishing, sailing, skiing, surfing, yoga, pilates, boxing, tennis, football, basketball, volleyball, badminton, table tennis, golf,
photography, pottery, sewing, woodwork, birdwatching, astronomy, board games, card games, video games, puzzles, crosswords, poetry,
old maps, jazz, opera, techno, folk music, classical music, black and white films, detective novels, science fiction, travelling, camping,
kayaking, rowing, horse riding, archery, juggling, origami, calligraphy, stamp collecting, model trains, beekeeping, karate, judo, fencing`)

export const sports = list(`
swimming, running, climbing, dancing, bowling, skating, rowing, riding, jogging, fencing, surfing, sailing, cycling, hiking, boxing,
shopping, fishing, training, to choir, to the gym, to yoga, to karate, to the market, to church, to the sauna, to my painting class`)

export const colours = list(`
red, blue, green, yellow, purple, orange, black, white, grey, pink, brown, turquoise, violet, gold, silver, beige, navy, olive, teal,
crimson, lavender, mint, amber, indigo, maroon, coral, ivory, magenta, cyan, scarlet, dark blue, light green`)

export const animals = list(`
spiders, snakes, dogs, mice, bees, wasps, sharks, horses, bats, rats, pigeons, geese, moths, frogs, crocodiles, lizards, elephants,
tigers, penguins, otters, owls, foxes, dolphins, whales, pandas, koalas, wolves, bears, hedgehogs, squirrels, deer, parrots, turtles`)

export const drinks = list(`
black, with milk, with sugar, with oat milk, with a little milk, without sugar, with two sugars, very strong, decaf, with cinnamon,
with cream, with soy milk, iced, with honey, weak, with lots of milk, with one sugar, double and black`)

export const diets = list(`
vegan, vegetarian, lactose intolerant, pescatarian, diabetic, left-handed, colour blind, short-sighted, a night owl, an early bird,
an only child, a twin, retired, hard of hearing, a beginner, a morning person, gluten free, on a low salt diet, new in town, a grandmother`)

export const preferences = list(`
short answers, long answers, dark mode, light mode, metric units, tea over coffee, trains over planes, window seats, aisle seats,
bullet points, plain text, tables, spaces over tabs, tabs over spaces, vim, emails over calls, calls over emails, answers in German,
answers in French, answers in Spanish, simple words, formal language, informal language, 24 hour time, Celsius, kilometres, paper books,
cash, quiet places, morning meetings, afternoon meetings, big fonts, small steps, examples, one question at a time, no emojis,
British spelling, direct feedback, cats over dogs, dogs over cats, summer over winter, working from home, video calls, handwritten notes`)

export const languages = list(`
German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Norwegian, Danish, Finnish, Polish, Czech, Russian, Ukrainian, Greek,
Turkish, Arabic, Hebrew, Hindi, Bengali, Urdu, Japanese, Korean, Chinese, Vietnamese, Thai, Swahili, Latin, Welsh, Irish, Catalan, Basque,
Hungarian, Romanian, Croatian, Bulgarian, Estonian, Icelandic, Persian, Tamil, sign language, Esperanto`)

export const instruments = list(`
piano, guitar, violin, cello, flute, drums, trumpet, clarinet, saxophone, bass, harp, organ, accordion, ukulele, banjo, mandolin, oboe,
viola, trombone, harmonica, bagpipes, recorder, double bass, keyboard, tuba, sitar, lute, xylophone, bassoon, french horn`)

export const cars = list(`
Golf, Volvo, Fiat, red Mini, Toyota, van, motorbike, scooter, Skoda, Tesla, Ford, Honda, Mazda, Kia, Renault, Peugeot, Seat, Opel,
Subaru, Jeep, Citroen, small truck, Nissan, Dacia, Audi, Saab, Lada, Beetle, Polo, Panda, Twingo, Clio, old Mercedes, blue Corsa, pickup`)

export const appointments = list(`
dentist appointment, doctor's appointment, haircut, job interview, driving test, exam, piano lesson, eye test, flight, parents' evening,
physiotherapy, blood test, team meeting, yoga class, book club, choir practice, German class, wedding, birthday party, checkup,
parent meeting, performance review, swimming lesson, bank appointment, vet appointment, house viewing, guitar lesson, graduation,
rehearsal, band practice, tax appointment, passport appointment, moving day, dance class, thesis defence, training, therapy session`)

export const belongings = list(`
passport, spare key, charger, umbrella, bike, car, glasses, wallet, toolbox, tent, suitcase, camera, birth certificate, headphones,
sewing kit, vaccination card, notebook, laptop, tablet, watch, guitar, sleeping bag, skis, ladder, drill, hammer, flashlight, map,
calculator, dictionary, contract, insurance card, library card, coat, scarf, boots, hat, backpack, helmet, kettle, thermometer,
first aid kit, bike lock, old phone, hard drive, cookbook, photo album, tax folder, diary, raincoat, binoculars, microphone, tripod`)

export const places = list(`
top drawer, kitchen, garage, basement, attic, hallway, bedroom, living room, bathroom, closet, blue box, desk drawer, office, car, shed,
garden, cupboard, safe, wardrobe, bookshelf, cellar, green bag, red folder, second drawer, glove box, laundry room, guest room, pantry,
locker, storage room, toolbox, drawer under the bed, shoe box, balcony, workshop, black suitcase, filing cabinet, wooden chest, hall,
left cupboard, bottom shelf, white cabinet, corner of the study, brown backpack, mailbox, meeting room, library, reception, lobby`)

/** Things of a house, a club or an office that people tell each other about. */
export const things = list(`
printer, projector, first aid kit, spare key, fuse box, water tap, ladder, coffee machine, router, scanner, guest list, fire extinguisher,
vacuum cleaner, whiteboard, mailbox key, broom, lawn mower, wheelbarrow, sewing machine, toolbox, iron, thermostat, recycling bin, camera,
loudspeaker, microphone, tent, cash box, membership list, stamp, laminator, paper cutter, water meter, gas meter, bike pump, hose,
grill, freezer, spare tyre, paint, cable drum, extension lead, remote control, keyboard, spare monitor, tripod, map, calendar, logbook,
key to the shed, key to the cellar, bandages, batteries, light bulbs, candles, matches, blankets, folding chairs, cushions, trophies`)

export const chores = list(`
rubbish collection, market, rent payment, team lunch, garden club, staff meeting, board meeting, newsletter, paper collection, cleaning,
band practice, food delivery, language course, bake sale, film night, quiz night, inventory, laundry day, bin day, sprint review, standup,
retrospective, parents' evening, choir concert, flea market, blood donation, window cleaning, fire drill, farmers market, payday, book club,
street party, school trip, sports day, harvest, press conference, open day, release, backup, server maintenance, training, audit`)

export const shops = list(`
bakery, library, pharmacy, post office, bank, swimming pool, gym, museum, supermarket, market, butcher, school, kindergarten, town hall,
garden centre, bookshop, cinema, cafe, bike shop, hardware store, vet, clinic, ice rink, zoo, canteen, workshop, laundry, hairdresser,
recycling yard, ticket office, petrol station, florist, tailor, shoe shop, toy shop, health centre, community centre, climbing hall`)

export const subjects = list(`
biology, history, physics, chemistry, law, medicine, music, art, maths, economics, philosophy, geography, computer science, literature,
psychology, sociology, architecture, engineering, theology, linguistics, astronomy, geology, statistics, agriculture, education, design`)

export const weekdays = list('Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday')

export const months = list(
  `January, February, March, April, May, June, July, August, September, October, November, December`,
)

/** What has a number. */
export const numbered = list(`
room number, locker number, customer number, member number, badge number, ticket number, flat number, house number, shelf number,
seat number, parking space, size in trousers, jersey number, shirt number, table number, desk number, extension, order number,
student number, case number, library number, policy number, queue number, team number, bus line, tram line, gate, platform`)

/** What people give names. */
export const devices = list(`
wifi, network, laptop, computer, printer, phone, server, router, car, boat, bike, robot vacuum, tablet, band, team, blog, company,
website, podcast, guitar, plant, sourdough starter, cottage, garden gnome, drone, camper van, record label, book, game, channel`)
