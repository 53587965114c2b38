import { list } from './list.ts'

/** Everyday nouns, for names of files, topics and sentences. */
export const nouns = list(`
garden, holiday, budget, party, meeting, recipe, invoice, letter, contract, kitchen, project, report, summer, winter, school, office,
travel, hotel, train, ticket, bicycle, shopping, birthday, wedding, music, concert, book, chapter, thesis, essay, homework, lecture, exam,
course, lesson, language, grammar, vocabulary, family, friends, address, phone, contact, email, newsletter, blog, article, interview,
survey, research, experiment, sample, measurement, result, chart, table, figure, photo, picture, camera, video, film, series, game, chess,
puzzle, sport, football, tennis, running, fitness, diet, health, doctor, medicine, insurance, tax, salary, rent, mortgage, bank, savings,
expenses, income, account, payment, order, delivery, package, stock, inventory, price, discount, offer, customer, client, supplier, team,
staff, holiday plan, schedule, calendar, agenda, minutes, protocol, decision, task, goal, idea, draft, outline, summary, review, feedback,
question, answer, guide, manual, handbook, checklist, template, form, application, resume, certificate, passport, visa, flight, luggage,
packing, camping, hiking, mountain, river, lake, beach, island, forest, tree, flower, seed, vegetable, fruit, apple, tomato, potato, bread,
cake, cookie, soup, salad, dinner, breakfast, lunch, coffee, tea, wine, water, energy, power, solar, heating, window, door, roof, floor,
wall, paint, tool, wood, metal, glass, paper, plastic, cotton, wool, knitting, sewing, pattern, colour, light, lamp, sofa, chair, desk,
shelf, box, drawer, key, lock, alarm, fire, safety, police, court, law, rule, policy, permission, member, club, choir, church, festival,
museum, library, theatre, gallery, exhibition, history, map, country, city, village, street, bridge, station, bus, car, truck, engine,
motor, wheel, tyre, battery, cable, plug, sensor, robot, printer, scanner, screen, keyboard, mouse, laptop, server, network, router,
backup, archive, folder, password policy, release, version, bug, feature, test, build, deploy, module, package list, config, database,
query, index, cache, log, error, warning, monitor, dashboard, metric, traffic, user, session, login, profile, setting, theme, layout,
button, menu, icon, logo, brand, design, sketch, model, prototype, sprint, backlog, roadmap, milestone, deadline, risk, cost, profit, loss,
market, trade, shop, store, warehouse, factory, machine, process, workflow, pipeline, dataset, training, sample text, corpus, dictionary,
poem, novel, story, character, plot, scene, script, dialogue, lyrics, song, album, band, guitar, piano, violin, drum, orchestra, dance,
painting, drawing, sculpture, pottery, craft, hobby, collection, stamp, coin, card, toy, doll, baby, child, parent, grandma, neighbour,
landlord, tenant, moving, renovation, repair, cleaning, laundry, garbage, recycling, compost, garden shed, greenhouse, fence, pond, bird,
dog, cat, horse, chicken, sheep, goat, bee, honey, farm, field, harvest, weather, rain, snow, storm, temperature, climate, planet, moon,
star, rocket, satellite, telescope, science, biology, chemistry, physics, maths, statistics, algebra, geometry, logic, philosophy, ethics,
religion, psychology, memory, sleep, dream, mood, stress, habit, routine, morning, evening, night, week, month, quarter, year, decade,
anniversary, christmas, easter, new year, carnival, picnic, barbecue, trip, cruise, ferry, airport, border, customs, currency, exchange`)

/** Adjectives that fit most nouns. */
export const adjectives = list(`
new, old, big, small, red, blue, green, final, first, second, last, next, short, long, quick, simple, secret, public, private, shared,
weekly, monthly, yearly, daily, draft, early, late, open, closed, local, global, main, extra, spare, broken, fixed, clean, dirty, fresh,
empty, full, hot, cold, dry, wet, dark, bright, loud, quiet, soft, hard, heavy, light, strong, weak, rich, cheap, free, busy, lazy, happy,
annual, internal, external, upper, lower, northern, southern, eastern, western, central, wooden, golden, silver, ancient, modern, personal`)

/** What somebody plans, such as “water the plants”. */
export const tasks = list(`
water the plants, call the plumber, pay the rent, buy milk, book the flight, renew the passport, feed the cat, clean the kitchen,
send the invoice, order new filters, fix the fence, return the books, pick up the parcel, charge the camera, wash the car, bake a cake,
print the tickets, write to the bank, check the tyres, plant the tulips, empty the dishwasher, update the website, back up the photos,
pack the suitcase, prepare the slides, answer the survey, sort the receipts, paint the door, mow the lawn, sharpen the knives,
buy a present, cancel the subscription, change the bulb, measure the window, collect the keys, sign the contract, visit the dentist,
walk the dog, iron the shirts, descale the kettle, oil the chain, order the firewood, sweep the chimney, repair the zip, cook dinner,
reserve a table, buy stamps, stretch for ten minutes, practise the piano, learn ten words, tidy the desk, defrost the freezer,
check the smoke alarm, air the rooms, buy light bulbs, test the brakes, label the boxes, scan the letters, shred the old bills,
call grandma, thank the neighbours, register for the course, download the forms, water the tomatoes, prune the roses, feed the fish`)

export const companionVerbs = list(`
looks after, is responsible for, takes care of, pays for, prepares, organises, checks, manages, cleans, keeps, repairs, plans, orders`)
