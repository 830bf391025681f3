/*
 * The folder's protocol for spin: a second opinion on FolderProtocol.swift.
 *
 * table.pml is generated from the Swift table. The effects of the steps are written by hand, from the documentation of
 * the protocol and from SQLite's rules. They share no source with FolderModel.swift, the model of the Swift explorer.
 *
 * SQLite's rules:
 * - A connection opens the store and its log by name, and keeps both files wherever they are moved.
 * - A commit is appended to the log that the connection has open.
 * - The last connection to close copies the log into the store. Unless told otherwise, it then unlinks the log and the
 *   index by name.
 * - A log has no reference to its store: a store that is opened next to another's log is corrupted.
 *
 * A record is a bit. A file is an inode number, and a free number is used again. The steady clock counts posts, denials
 * and agreements. Two processes post, deliver, deny, agree, close and die. After any step, all of them may die. A
 * lone process then obeys the marks, uses the store, and checks what the outbox promises.
 *
 * Out of scope: power failures. Names and contents reach the disk at once, so the four mutants without an fsync are
 * found only by the Swift explorer.
 *
 * The scenes are at the end of this file. The runner selects one with -DSCENE_name. -DDEATHS=1, -DSTARTS=1,
 * -DFAILURES=1 and -DTIMEOUTS=1 set the number of faults of each kind, for a longer search.
 *
 * One option is wider than what the gate verifies. BEGIN_LATE: StoreKeeper.begin() runs on the disk's queue, a moment
 * after a process starts. A record that is posted before it, and a denial, an agreement and a wipe of another process
 * before it, are not told apart: the record outlives the denial.
 */
#include "table.pml"

#ifdef SCENE_late
#define APPS 3
#else
#define APPS 2
#endif
#define LONE APPS
#define ALL (APPS + 1)
#define FILES 14
#define NIL 255

/* Jobs and policies. */
#define NOTHING 0
#define WRITE 1
#define DELIVER 2
#define SETTLE 3
#define OBEY 4
#define CLOSE 5
#define UNDECIDED 0
#define ENABLED 1
#define DENIED 2

/* The phases of a run of the model. */
#define LIVE 0
#define ALONE 1
#define OVER 2
byte phase;

/* The folder: inodes by name, 0 if there is no file. The index has the number of its store. */
byte store, log, index, rescue, rescued, asideStore, asideLog;
/* The records in stores that were set aside earlier. */
byte asideRecords;
bool markDenied, markWipe;
/* In the marks: when the denial was given, and when the user agreed again. */
byte deniedGiven, wipeGiven, wipeWithdrawn;
/* In the lock file: the number of wipes, and the denial of the last one. */
byte wipes, lastGiven, lastWithdrawn;
/* The steady clock: the number of posts, denials and agreements. */
byte now;
byte locker, deliverer;

/* Files: their records; the store of a log; sets of inodes. */
byte holds[FILES], owner[FILES];
short damaged, hollow;

/* Processes. */
bool alive[ALL];
byte at[ALL], job[ALL], policy[ALL];
byte open[ALL], openLog[ALL], wipesAtOpen[ALL];
/* The record in memory, and the time at which it was posted. */
byte record[ALL], since[ALL];
/* The time of the last denial that was wiped and was withdrawn after the record was posted, plus 1. */
byte isAgainst[ALL];
byte wipesSeen[ALL];
/* The time at which the user agreed in this process, or 0. */
byte agreement[ALL];
bool mustObey[ALL];
/* The times of decisions that are not on disk yet, or 0. */
byte owesDenial[ALL], owesWithdrawal[ALL];
byte replacements[ALL], rescuedRecords[ALL];
/* The current run. */
bool isCommitted[ALL], hasRetried[ALL], hasFoundDamage[ALL];
byte denialGiven[ALL], denialWithdrawn[ALL], deniedAtLock[ALL];
/* The batch that was read, and its upload. */
byte batch[ALL], batchStore[ALL], batchWipes[ALL], uploadAt[ALL], deniedAtLook[ALL];
bool isUploading[ALL];
byte unsettled[ALL], unsettledStore[ALL];
/* The remaining actions of a process. */
byte posts[ALL], deliveries[ALL], closes[ALL], denials[ALL], agreements[ALL];

/* The remaining faults: deaths, starts, failed steps, locks that time out, damaged stores. */
byte deaths, starts, failures, timeouts, damages;

/* Facts. */
byte posted, durable, denied, sent;
/* Posted after an agreement that reaches the disk later: they may be kept or denied. */
byte free;
bool isDenied;

/* Scratch: always written before it is read. */
hidden byte step, result, fault, i, s, l, turns, startDenied, startWaits;
hidden byte isBlocked, isNew, startIsDenied, exempt;
hidden short used;

#define IN(set, file) (((set) >> (file)) & 1)
#define IS_OPEN(file) (open[0] == (file) || open[1] == (file) || open[ALL - 1] == (file) || open[ALL - 2] == (file))
#define IS_END(state) (state == AT_done || state == AT_denied || state == AT_elsewhere || state == AT_failed)
#define VISIBLE (holds[store] | (store != 0 && owner[log] == store -> holds[log] : 0))
#define STORED (holds[store] | holds[log] | holds[rescue] | holds[rescued] | holds[asideStore] | holds[asideLog] | \
	asideRecords)
#define IS_BUSY(p) (job[p] != NOTHING)

/* Steps that read only their own process. They run together with the previous step. */
#define IS_LOCAL(step) (step == DO_needsStore || step == DO_isCommitted || step == DO_isPostedBeforeWipe || \
	step == DO_mayRetry || step == DO_mayReplace || step == DO_sealAside || \
	step == DO_moveJournal)
/* Other steps that cannot fail. */
#define IS_SAFE(step) (step == DO_unlock || step == DO_closeForWipe || step == DO_countWipe || \
	step == DO_compareStore || step == DO_releaseStore || step == DO_close || step == DO_closeUnlocked || \
	step == DO_compareBatch)

/* ---- Files ---- */

inline find_used()
{
	used = 1 | (1 << store) | (1 << log) | (1 << index) | (1 << rescue) | (1 << rescued) | (1 << asideStore) |
		(1 << asideLog);
	i = 0;
	do
	:: i < ALL ->
		used = used | (1 << open[i]) | (1 << openLog[i]) | (1 << unsettledStore[i]);
		i++
	:: else -> break
	od;
	i = 1;
	do
	:: i < FILES -> if :: IN(used, i) -> used = used | (1 << owner[i]) :: else fi; i++
	:: else -> break
	od
}

/* Removes files that have neither a name nor a connection. */
inline collect_files()
{
	find_used();
	i = 1;
	do
	:: i < FILES ->
		if :: !IN(used, i) -> holds[i] = 0; owner[i] = 0 :: else fi;
		i++
	:: else -> break
	od;
	damaged = damaged & used;
	hollow = hollow & used
}

inline make_file(name)
{
	find_used();
	i = 1;
	do
	:: IN(used, i) -> i++
	:: else -> break
	od;
	assert(i < FILES);
	holds[i] = 0; owner[i] = 0;
	name = i
}

inline close_connection(p, unlinks)
{
	s = open[p]; l = openLog[p];
	open[p] = 0; openLog[p] = 0;
	if
	:: s != 0 && !IS_OPEN(s) ->
		holds[s] = holds[s] | holds[l];
		holds[l] = 0;
		if :: unlinks -> log = 0; index = 0 :: else fi
	:: else
	fi
}

/* ---- Decisions ---- */

/* Adds a record in memory to `exempt` if the user agreed after the denial and before the post. */
inline exempt_record(q, given)
{
	if
	:: record[q] != 0 && agreement[q] > given && since[q] > agreement[q] -> exempt = exempt | record[q]
	:: else
	fi;
	i = 0;
	do
	:: i < APPS ->
		if
		:: record[q] != 0 && owesWithdrawal[i] > given && since[q] > owesWithdrawal[i] -> exempt = exempt | record[q]
		:: else
		fi;
		i++
	:: else -> break
	od
}

inline make_mark(given)
{
	markDenied = true;
	deniedGiven = given;
	isDenied = true;
	exempt = 0;
	s = 0;
	do
	:: s < APPS -> exempt_record(s, given); s++
	:: else -> break
	od;
	free = free | exempt;
	denied = denied | (posted & ~sent & ~exempt)
}

/* Writes the decisions that are not on disk yet. */
inline settle_marks(p)
{
	if
	:: owesDenial[p] != 0 -> make_mark(owesDenial[p]); owesDenial[p] = 0
	:: else
	fi;
	if
	:: owesWithdrawal[p] != 0 ->
		if
		:: markDenied && deniedGiven > owesWithdrawal[p] -> skip	/* A later denial is not withdrawn. */
		:: markDenied && deniedGiven <= owesWithdrawal[p] ->
			markWipe = true; wipeGiven = deniedGiven; wipeWithdrawn = owesWithdrawal[p];
			markDenied = false; deniedGiven = 0;
			isDenied = false
		:: else -> isDenied = false
		fi;
		owesWithdrawal[p] = 0
	:: else
	fi
}

inline agree(p)
{
	printf("%d: agrees\n", p + 1);
	policy[p] = ENABLED;
	mustObey[p] = true;
	now++;
	agreement[p] = now;
	owesWithdrawal[p] = now;
}

/* A wiped denial concerns the record in memory if it was withdrawn after the post. */
inline note_denial(p, given, withdrawn)
{
	if
	:: record[p] != 0 && since[p] <= withdrawn && isAgainst[p] <= given -> isAgainst[p] = given + 1
	:: else
	fi
}

inline forget_record(p) { record[p] = 0; since[p] = 0; isAgainst[p] = 0 }

/* ---- The steps of a run ---- */

inline perform(p)
{
	result = IS_done;
	if
	:: step == DO_lockRight ->
		if :: deliverer != 0 && deliverer != p + 1 -> result = IS_busy :: else -> deliverer = p + 1 fi
	:: step == DO_lock ->
		locker = p + 1;
		if :: wipesSeen[p] != wipes -> note_denial(p, lastGiven, lastWithdrawn) :: else fi;
		wipesSeen[p] = wipes;
		deniedAtLock[p] = (markDenied -> denied : 0)
	:: step == DO_unlock ->
		if :: locker == p + 1 -> locker = 0 :: else fi;
		deniedAtLock[p] = 0

	:: step == DO_settleMarks -> settle_marks(p)
	:: step == DO_readDenied ->
		if
		:: markDenied -> result = IS_yes; denialGiven[p] = deniedGiven; denialWithdrawn[p] = now
		:: else -> result = IS_no
		fi
	:: step == DO_readWipeDue ->
		if
		:: markWipe -> result = IS_yes; denialGiven[p] = wipeGiven; denialWithdrawn[p] = wipeWithdrawn
		:: else -> result = IS_no
		fi
	:: step == DO_removeWipeDue ->
		/* Another withdrawal makes another mark. */
		if
		:: wipeGiven == denialGiven[p] && wipeWithdrawn == denialWithdrawn[p] ->
			markWipe = false; wipeGiven = 0; wipeWithdrawn = 0
		:: else
		fi

	:: step == DO_closeForWipe -> close_connection(p, false)
	:: step == DO_removeNext ->
		/* In the order of the names. */
		if
		:: rescue != 0 -> rescue = 0
		:: else -> if
		:: rescued != 0 -> rescued = 0
		:: else -> if
		:: asideRecords != 0 -> asideRecords = 0
		:: else -> if
		:: asideStore != 0 -> asideStore = 0
		:: else -> if
		:: asideLog != 0 -> asideLog = 0
		:: else -> if
		:: store != 0 -> store = 0
		:: else -> if
		:: index != 0 -> index = 0
		:: else -> if
		:: log != 0 -> log = 0
		:: else -> result = IS_no
		fi fi fi fi fi fi fi fi
	:: step == DO_countWipe ->
		wipes++;
		lastGiven = denialGiven[p]; lastWithdrawn = denialWithdrawn[p];
		wipesSeen[p] = wipes;
		note_denial(p, denialGiven[p], denialWithdrawn[p])

	:: step == DO_needsStore -> if :: job[p] == OBEY -> result = IS_no :: else -> result = IS_yes fi
	:: step == DO_isCommitted ->
		if :: isCommitted[p] || job[p] == CLOSE -> result = IS_yes :: else -> result = IS_no fi
	:: step == DO_isPostedBeforeWipe ->
		/* The user agreed in this process after all of these denials, so only earlier records are denied. */
		if
		:: job[p] == WRITE && isAgainst[p] != 0 && (agreement[p] < isAgainst[p] || since[p] <= agreement[p]) ->
			assert(record[p] & (denied | free));
			result = IS_yes
		:: else -> result = IS_no
		fi
	:: step == DO_mayRetry ->
		if :: hasRetried[p] -> result = IS_no :: else -> result = IS_yes fi;
		hasRetried[p] = true
	:: step == DO_mayReplace ->
		if :: replacements[p] < 3 -> replacements[p]++; result = IS_yes :: else -> result = IS_no fi

	:: step == DO_compareStore ->
		if
		:: open[p] == 0 -> result = IS_no
		:: else -> if
		:: store == open[p] && log == openLog[p] -> result = IS_inPlace
		:: else -> if
		:: (store != 0 && store != open[p]) || wipes != wipesAtOpen[p] -> result = IS_moved
		:: else -> result = IS_gone
		fi fi fi
	:: step == DO_releaseStore || step == DO_closeUnlocked -> close_connection(p, false)
	:: step == DO_close -> close_connection(p, true)
	:: step == DO_lookAtStore ->
		if
		:: (store == 0 || IN(hollow, store)) && holds[log] != 0 -> result = IS_damaged
		:: (store == 0 || IN(hollow, store)) && holds[log] == 0 && (store != 0 || log != 0 || index != 0) ->
			result = IS_empty
		:: else
		fi
	:: step == DO_removeEmpty -> index = 0; log = 0; store = 0
	:: step == DO_open ->
		isNew = (store == 0 || IN(hollow, store));
		/* SQLite reads a log that has the right name. */
		assert(!isNew || holds[log] == 0);
		assert(isNew || log == 0 || owner[log] == store);
		if :: store == 0 -> make_file(store) :: else fi;
		hollow = hollow & ~(1 << store);
		if
		:: log == 0 || owner[log] != store -> log = 0; make_file(log); owner[log] = store
		:: else
		fi;
		if
		:: IN(damaged, store) && fault == 0 -> result = IS_damaged
		:: else ->
			/* Only the first connection makes the index again. */
			assert(index == 0 || index == store || !IS_OPEN(index));
			index = store;
			open[p] = store; openLog[p] = log;
			wipesAtOpen[p] = wipes
		fi

	:: step == DO_commit ->
		if
		:: open[p] == 0 -> result = IS_broken
		:: else -> if
		:: IN(damaged, open[p]) && fault == 0 -> result = IS_damaged
		:: else ->
			isCommitted[p] = true;
			if
			:: job[p] == WRITE ->
				assert(!(markDenied && (deniedAtLock[p] & record[p])));
				holds[openLog[p]] = holds[openLog[p]] | record[p];
				replacements[p] = 0
			:: job[p] == SETTLE && open[p] == unsettledStore[p] ->
				holds[openLog[p]] = holds[openLog[p]] & ~unsettled[p];
				holds[open[p]] = holds[open[p]] & ~unsettled[p]
			:: job[p] == DELIVER && hasFoundDamage[p] ->
				batch[p] = holds[open[p]] | holds[openLog[p]];
				batchStore[p] = open[p]; batchWipes[p] = wipesAtOpen[p]
			:: else
			fi
		fi fi
	:: step == DO_readBatch ->
		if
		:: job[p] == DELIVER && open[p] != 0 && !hasFoundDamage[p] ->
			if
			:: IN(damaged, open[p]) && fault == 0 ->
				result = IS_damaged; hasFoundDamage[p] = true; isCommitted[p] = false
			:: else ->
				batch[p] = holds[open[p]] | holds[openLog[p]];
				batchStore[p] = open[p]; batchWipes[p] = wipesAtOpen[p]
			fi
		:: else
		fi

	:: step == DO_readRescued -> if :: rescued != 0 -> result = IS_yes :: else -> result = IS_no fi
	:: step == DO_readDamaged -> rescuedRecords[p] = VISIBLE
	:: step == DO_readVanished -> rescuedRecords[p] = holds[open[p]] | holds[openLog[p]]
	:: step == DO_discardRescue -> rescue = 0
	:: step == DO_writeRescue ->
		rescue = 0; make_file(rescue);
#ifndef RESCUE_HAS_LOG
		holds[rescue] = rescuedRecords[p]
#endif
	:: step == DO_syncRescue ->
#ifdef RESCUE_HAS_LOG
		/* The log of the new store is copied into it. */
		holds[rescue] = rescuedRecords[p];
#endif
		skip
	:: step == DO_completeRescue -> if :: rescue != 0 -> rescued = rescue; rescue = 0 :: else fi
	:: step == DO_moveLog ->
		/* A name is used again only if an interrupted replacement has left it without its store. */
		if
		:: asideStore != 0 ->
			asideRecords = asideRecords | holds[asideStore] | holds[asideLog];
			asideStore = 0; asideLog = 0
		:: else
		fi;
		if :: log != 0 -> asideLog = log; log = 0 :: else fi
	:: step == DO_moveIndex -> index = 0
	:: step == DO_moveStore ->
		if :: store != 0 -> asideStore = store; store = 0 :: else fi;
		assert(asideStore == 0 || asideLog == 0 || owner[asideLog] == asideStore)
	:: step == DO_placeRescue ->
		rescuedRecords[p] = 0;
		if :: rescued != 0 -> store = rescued; rescued = 0 :: else fi
	:: step == DO_checkpoint ->
		holds[open[p]] = holds[open[p]] | holds[openLog[p]];
		if :: openLog[p] != 0 -> holds[openLog[p]] = 0 :: else fi
	:: step == DO_compareBatch -> result = IS_failed
	:: step == DO_syncWipe || step == DO_syncCompletion || step == DO_syncMoves || step == DO_sealAside ||
		step == DO_moveJournal
	fi
}

/* Replaces the step by a fault: 1 fails without an effect, 2 fails halfway. Otherwise the step is not taken. */
inline fail_step(p)
{
	result = IS_failed;
	isBlocked = true;
	if
	:: failures > 0 && fault == 1 && !IS_LOCAL(step) && !IS_SAFE(step) -> isBlocked = false; failures--
	:: failures > 0 && fault == 2 && step == DO_commit && open[p] != 0 ->
		isBlocked = false; failures--; result = IS_broken
	:: failures > 0 && fault == 2 && step == DO_writeRescue ->
		isBlocked = false; failures--;
		rescue = 0; make_file(rescue)
	:: failures > 0 && fault == 2 && step == DO_removeEmpty -> isBlocked = false; failures--; index = 0; log = 0
	:: failures > 0 && fault == 2 && step == DO_open && (store == 0 || IN(hollow, store)) && holds[log] == 0 ->
		/* SQLite creates the file, and then has no room for its first page. */
		isBlocked = false; failures--;
		if :: store == 0 -> make_file(store) :: else fi;
		hollow = hollow | (1 << store)
	:: else
	fi
}

inline reset_run(p)
{
	isCommitted[p] = false; hasRetried[p] = false; hasFoundDamage[p] = false;
	denialGiven[p] = 0; denialWithdrawn[p] = 0
}

/* The end of a run of an app. */
inline end_run(p)
{
	assert(locker != p + 1);
	if
	:: job[p] == WRITE ->
		if
		:: policy[p] == DENIED || at[p] == AT_denied -> forget_record(p)
		:: policy[p] != DENIED && at[p] == AT_done -> durable = durable | (record[p] & ~free); forget_record(p)
		:: else /* The record waits in memory. */
		fi
	:: job[p] == DELIVER ->
		if
		:: at[p] == AT_done && batch[p] != 0 ->
			i = 0;
			do
			:: i < APPS -> assert(!isUploading[i]); i++
			:: else -> break
			od;
			isUploading[p] = true;
			uploadAt[p] = FROM_upload
		:: else ->
			batch[p] = 0; batchStore[p] = 0; batchWipes[p] = 0;
			if :: deliverer == p + 1 -> deliverer = 0 :: else fi
		fi
	:: job[p] == SETTLE ->
		if :: at[p] != AT_failed || replacements[p] == 3 -> unsettled[p] = 0; unsettledStore[p] = 0 :: else fi
	:: job[p] == OBEY -> if :: at[p] == AT_failed -> mustObey[p] = true :: else fi
	:: job[p] == CLOSE -> close_connection(p, false)
	fi;
	reset_run(p);
	job[p] = NOTHING;
	at[p] = 0
}

/* The end of a run of the lone process. */
inline end_lone_run(p)
{
	assert(locker != p + 1);
	/* The lone process can use the store. */
	assert(at[p] == AT_done || at[p] == AT_denied);
	if
	:: job[p] == OBEY -> reset_run(p); job[p] = SETTLE; at[p] = FROM_use
	:: else ->
		/* Exactly a denial that was given and not withdrawn is obeyed. */
		assert((at[p] == AT_denied) == startIsDenied);
		/* No work is left. */
		assert(rescued == 0);
		if
		:: at[p] == AT_denied -> assert(STORED == 0)
		:: else ->
			assert(!markWipe);
			assert((STORED & startDenied) == 0);
			assert((startWaits & ~VISIBLE) == 0)
		fi;
		job[p] = NOTHING
	fi
}

inline run_step(p)
{
	turns = 0;
	do
	:: true ->
		look_up_step(at[p], step);
		isBlocked = false;
		if
		:: step == DO_lock && locker != 0 ->
			/* Another process holds the lock: wait, and finally time out. */
			if
			:: fault == 1 && timeouts > 0 -> timeouts--; result = IS_failed
			:: else -> isBlocked = true
			fi
		:: else -> if
		:: fault == 1 || fault == 2 -> fail_step(p)
		:: else -> perform(p)
		fi fi;
		if :: isBlocked -> break :: else fi;
		printf("%d: DO_%d -> IS_%d\n", p + 1, step, result);
		fault = 0;
		look_up_next(at[p], result);
		if
		:: !IS_END(at[p])
		:: IS_END(at[p]) && p != LONE -> end_run(p)
		:: IS_END(at[p]) && p == LONE -> end_lone_run(p)
		fi;
		if :: job[p] == NOTHING -> break :: else fi;
		turns++;
		/* The lone process comes to rest. */
		assert(turns < 200);
		look_up_step(at[p], step);
		if :: p == LONE || IS_LOCAL(step) :: else -> break fi
	od;
	collect_files()
}

inline upload_step(p)
{
	look_up_step(uploadAt[p], step);
	if :: uploadAt[p] == FROM_upload -> deniedAtLook[p] = denied :: else fi;
	result = IS_done;
	if
	:: step == DO_readDenied || step == DO_readWipeDue ->
		if
		:: fault == 1 -> failures--; result = IS_failed
		:: else -> if
		:: (step == DO_readDenied && markDenied) || (step == DO_readWipeDue && markWipe) -> result = IS_yes
		:: else -> result = IS_no
		fi fi
	:: step == DO_compareBatch ->
		if
		:: store == batchStore[p] && wipes == batchWipes[p] -> result = IS_inPlace
		:: else -> result = IS_moved
		fi
	:: else
	fi;
	printf("%d, upload: DO_%d -> IS_%d\n", p + 1, step, result);
	look_up_next(uploadAt[p], result);
	if
	:: IS_END(uploadAt[p]) ->
		if
		:: uploadAt[p] == AT_done && policy[p] == ENABLED ->
			/* No denied batch is sent. */
			assert((batch[p] & (deniedAtLook[p] | (markDenied -> denied : 0))) == 0);
			sent = sent | batch[p];
			unsettled[p] = batch[p]; unsettledStore[p] = batchStore[p]
		:: else
		fi;
		isUploading[p] = false;
		batch[p] = 0; batchStore[p] = 0; batchWipes[p] = 0; uploadAt[p] = 0; deniedAtLook[p] = 0;
		if :: deliverer == p + 1 -> deliverer = 0 :: else fi;
		collect_files()
	:: else
	fi
}

/* ---- Processes ---- */

inline begin(p, aJob, state)
{
	printf("%d: begins job %d\n", p + 1, aJob);
	reset_run(p);
	job[p] = aJob;
	at[p] = state
}

inline die(p)
{
	printf("%d: dies\n", p + 1);
	alive[p] = false;
	at[p] = 0; job[p] = 0; policy[p] = UNDECIDED;
	open[p] = 0; openLog[p] = 0; wipesAtOpen[p] = 0;
	forget_record(p); wipesSeen[p] = 0; agreement[p] = 0;
	mustObey[p] = false; owesDenial[p] = 0; owesWithdrawal[p] = 0;
	replacements[p] = 0; rescuedRecords[p] = 0;
	reset_run(p); deniedAtLock[p] = 0;
	batch[p] = 0; batchStore[p] = 0; batchWipes[p] = 0; uploadAt[p] = 0; deniedAtLook[p] = 0;
	isUploading[p] = false;
	unsettled[p] = 0; unsettledStore[p] = 0;
	if :: locker == p + 1 -> locker = 0 :: else fi;
	if :: deliverer == p + 1 -> deliverer = 0 :: else fi
}

inline start(p, agrees)
{
	printf("%d: starts\n", p + 1);
	alive[p] = true;
	mustObey[p] = true;
#ifdef BEGIN_LATE
	wipesSeen[p] = NIL;
#else
	wipesSeen[p] = wipes;
#endif
	if :: agrees -> agree(p) :: else fi
}

/* A process that has obeyed before the scene begins. */
inline have_obeyed(p) { mustObey[p] = false; owesWithdrawal[p] = 0; wipesSeen[p] = wipes }

proctype app(byte p)
{
	do
	/* A step of the run on the disk's queue. */
	:: atomic {
		(phase == LIVE && p != LONE && IS_BUSY(p)) || (phase == ALONE && p == LONE) ->
		if
		:: fault = 0
		:: failures > 0 || timeouts > 0 -> fault = 1
		:: failures > 0 -> fault = 2
		/* A damaged page that this step does not read. */
		:: damaged != 0 && p != LONE -> fault = 4
		fi;
		d_step {
			if
			:: p == LONE ->
				startDenied = denied & ~sent; startWaits = durable & ~denied & ~sent; startIsDenied = isDenied;
				/* No denial is forgotten. */
				assert(!isDenied || markDenied)
			:: else
			fi;
			run_step(p);
			if :: p == LONE -> phase = OVER :: else fi
		}
	}
	/* A step of the last check before an upload, on another thread. */
	:: atomic {
		phase == LIVE && isUploading[p] ->
		if :: fault = 0 :: failures > 0 -> fault = 1 fi;
		d_step {
			if :: fault == 1 -> look_up_step(uploadAt[p], step) :: else -> step = DO_readDenied fi;
			if :: step == DO_readDenied || step == DO_readWipeDue -> upload_step(p) :: else fi
		}
	}

	/* The next run. */
#ifdef BEGIN_LATE
	:: d_step { phase == LIVE && alive[p] && wipesSeen[p] == NIL -> wipesSeen[p] = wipes }
#endif
	:: d_step { phase == LIVE && alive[p] && !IS_BUSY(p) && mustObey[p] && wipesSeen[p] != NIL ->
		mustObey[p] = false;
		begin(p, OBEY, FROM_obey) }
	:: d_step { phase == LIVE && alive[p] && !IS_BUSY(p) && !mustObey[p] && unsettled[p] != 0 ->
		begin(p, SETTLE, FROM_use) }
	:: d_step { phase == LIVE && alive[p] && !IS_BUSY(p) && !mustObey[p] && unsettled[p] == 0 && record[p] != 0 ->
		begin(p, WRITE, FROM_use) }
	:: d_step { phase == LIVE && alive[p] && !IS_BUSY(p) && !mustObey[p] && unsettled[p] == 0 && record[p] == 0 &&
		deliveries[p] > 0 && policy[p] == ENABLED && !isUploading[p] ->
		deliveries[p]--;
		begin(p, DELIVER, FROM_deliver) }
	:: d_step { phase == LIVE && alive[p] && !IS_BUSY(p) && !mustObey[p] && unsettled[p] == 0 && record[p] == 0 &&
		closes[p] > 0 ->
		closes[p]--;
		begin(p, CLOSE, FROM_close) }

	/* Calls from any thread. */
	:: d_step { phase == LIVE && alive[p] && posts[p] > 0 && record[p] == 0 && policy[p] != DENIED ->
		posts[p]--;
		now++;
		since[p] = now;
		record[p] = (posted + 1) & ~posted;
		printf("%d: posts %d\n", p + 1, record[p]);
		posted = posted | record[p];
		exempt = 0;
		exempt_record(p, deniedGiven);
		if :: isDenied -> denied = denied | (record[p] & ~exempt); free = free | exempt :: else fi }
	:: atomic { phase == LIVE && alive[p] && denials[p] > 0 ->
		if :: fault = 0 :: failures > 0 -> fault = 1 fi;
		d_step {
			printf("%d: denies\n", p + 1);
			denials[p]--;
			policy[p] = DENIED;
			mustObey[p] = true;
			agreement[p] = 0; owesWithdrawal[p] = 0;
			now++;
			if :: job[p] != WRITE -> forget_record(p) :: else fi;
			if :: fault == 1 -> failures--; owesDenial[p] = now :: else -> owesDenial[p] = 0; make_mark(now) fi
		}
	}
	/* An agreement is written on the disk's queue, later. */
	:: d_step { phase == LIVE && alive[p] && agreements[p] > 0 -> agreements[p]--; agree(p) }

	:: d_step { phase == LIVE && alive[p] && deaths > 0 -> deaths--; die(p); collect_files() }
	:: d_step { phase == LIVE && p != LONE && !alive[p] && starts > 0 -> starts--; start(p, true) }
	:: d_step { phase == LIVE && p != LONE && !alive[p] && starts > 0 -> starts--; start(p, false) }

	:: phase == OVER -> break
	od
}

/* Damage, deaths and the lone process. */
proctype world()
{
	do
	:: d_step { phase == LIVE && damages > 0 && store != 0 && !IN(damaged, store) ->
		printf("the store is damaged\n");
		damages--;
		damaged = damaged | (1 << store) }
	/* All processes die, and a lone one starts. */
	:: d_step { phase == LIVE ->
		phase = ALONE;
		turns = 0;
		do
		:: turns < APPS ->
			die(turns);
			posts[turns] = 0; deliveries[turns] = 0; closes[turns] = 0; denials[turns] = 0; agreements[turns] = 0;
			turns++
		:: else -> break
		od;
		deaths = 0; starts = 0; failures = 0; timeouts = 0; damages = 0;
		posted = 0; wipes = 0; free = 0;
		now = 0; deniedGiven = 0; wipeGiven = 0; wipeWithdrawn = 0; lastGiven = 0; lastWithdrawn = 0;
		denied = denied & ~sent; durable = durable & ~denied & ~sent; sent = 0;
		collect_files();
		begin(LONE, OBEY, FROM_obey) }
	/* Every end is the same state. */
	:: d_step { phase == OVER ->
		die(LONE);
		store = 0; log = 0; index = 0; rescue = 0; rescued = 0; asideStore = 0; asideLog = 0; asideRecords = 0;
		markDenied = false; markWipe = false; wipes = 0; lastGiven = 0; lastWithdrawn = 0;
		deniedGiven = 0; wipeGiven = 0; wipeWithdrawn = 0;
		denied = 0; durable = 0; isDenied = false;
		collect_files() }
		break
	od
}

/* ---- Scenes ---- */

/* A store with one record of a dead process. */
inline make_store()
{
	store = 1; log = 2; index = 1;
	owner[2] = 1; holds[2] = 1;
	posted = 1; durable = 1
}

/* Two processes that have obeyed and may each write a record. */
inline make_writers()
{
	make_store();
	start(0, true); have_obeyed(0); posts[0] = 1;
	start(1, true); have_obeyed(1); posts[1] = 1
}

init
{
	d_step {
#if defined(SCENE_start)
		/* Two processes start after a denial. */
		make_store();
		now++;
		markDenied = true; deniedGiven = now; isDenied = true; denied = 1;
		start(0, true); posts[0] = 1;
		start(1, false); posts[1] = 1; agreements[1] = 1;
		deaths = 1; starts = 1; timeouts = 1;
#elif defined(SCENE_denial)
		/* One process denies while another delivers. */
		make_store();
		start(0, true); posts[0] = 1; deliveries[0] = 1;
		start(1, false); denials[1] = 1; agreements[1] = 1;
#elif defined(SCENE_unreadable)
		/* A mark cannot be read or made. */
		make_store();
		start(0, true); posts[0] = 1; deliveries[0] = 1;
		start(1, false); denials[1] = 1;
		failures = 1;
#elif defined(SCENE_damage)
		/* The store of two processes is damaged. */
		make_writers();
		posts[1] = 2;
		damages = 1; failures = 1;
#elif defined(SCENE_replacement)
		/* A process dies while it replaces a store, and another one writes. */
		make_writers();
		deaths = 1; damages = 1;
#elif defined(SCENE_closing)
		/* Stores are replaced, opened and closed. */
		make_writers();
		closes[0] = 1; closes[1] = 1;
		damages = 1; timeouts = 1;
#elif defined(SCENE_delivery)
		/* Two processes deliver from a store that is damaged. */
		make_writers();
		posts[0] = 0; posts[1] = 0; deliveries[0] = 1; deliveries[1] = 1;
		damages = 1;
#elif defined(SCENE_power)
		/* The power does not fail here. */
		make_store();
		start(0, false); posts[0] = 1; denials[0] = 1; agreements[0] = 1;
		damages = 1;
#elif defined(SCENE_three)
		/* One process denies and agrees while another one wipes, posts and delivers. */
		make_store();
		start(0, false); have_obeyed(0); denials[0] = 1; agreements[0] = 1;
		start(1, true); have_obeyed(1); posts[1] = 1; deliveries[1] = 1;
#elif defined(SCENE_late)
		/* One process obeys late, another one denies and agrees, and a third one posts. */
		make_store();
		start(0, true);
		start(1, true); have_obeyed(1); denials[1] = 1; agreements[1] = 1;
		start(2, true); have_obeyed(2); posts[2] = 1;
#elif defined(SCENE_twice)
		/* One process denies and agrees twice, while another one posts. */
		make_store();
		start(0, true); have_obeyed(0); denials[0] = 2; agreements[0] = 2;
		start(1, true); have_obeyed(1); posts[1] = 1;
#elif defined(SCENE_owed)
		/* One process denies twice and fails once. Another one agrees in between, and posts. */
		make_store();
		start(0, true); have_obeyed(0); denials[0] = 2; agreements[0] = 1;
		start(1, true); have_obeyed(1); posts[1] = 1; agreements[1] = 1;
		failures = 1;
#else
#error "select a scene with -DSCENE_name"
#endif
#ifdef DEATHS
		deaths = DEATHS;
#endif
#ifdef STARTS
		starts = STARTS;
#endif
#ifdef FAILURES
		failures = FAILURES;
#endif
#ifdef TIMEOUTS
		timeouts = TIMEOUTS;
#endif
		skip
	}
	atomic {
		run app(0);
		run app(1);
#ifdef SCENE_late
		run app(2);
#endif
		run app(LONE);
		run world()
	}
}
