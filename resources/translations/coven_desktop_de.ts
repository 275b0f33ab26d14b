<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>&amp;Read me</source>
        <translation>&amp;Lies mich</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>About Coven Desktop</source>
        <translation>Über Coven Desktop</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Check this &amp;machine…</source>
        <translation>Diesen &amp;Rechner prüfen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Keeps everything in</source>
        <translation>Legt alles ab in</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>MIT: you may use, change and pass it on. It comes without any warranty.</source>
        <translation>MIT: Sie dürfen es benutzen, ändern und weitergeben. Es gibt keinerlei Gewährleistung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Recurring work of your command-line agents: run on time, and proven.</source>
        <translation>Wiederkehrende Arbeit Ihrer Agenten auf der Kommandozeile: pünktlich ausgeführt und nachgewiesen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Version</source>
        <translation>Version</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>1 earlier time was missed; this run stands for it</source>
        <translation>1 früherer Termin wurde verpasst; dieser Lauf steht für ihn</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Asked for in the window</source>
        <translation>Im Fenster veranlasst</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Asked for with covenctl</source>
        <translation>Mit covenctl veranlasst</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Attempt {number} failed</source>
        <translation>Versuch {number} ist fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Attempt {number} failed: {reason}</source>
        <translation>Versuch {number} ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Changed: revision {revision}</source>
        <translation>Geändert: Fassung {revision}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Coven Desktop did not run for {duration}, since {time}</source>
        <translation>Coven Desktop lief {duration} lang nicht, seit {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Coven Desktop started</source>
        <translation>Coven Desktop wurde gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Created</source>
        <translation>Angelegt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Created as a draft</source>
        <translation>Als Entwurf angelegt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Disabled</source>
        <translation>Abgeschaltet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Due {time}</source>
        <translation>Fällig {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Enabled again: it is paused</source>
        <translation>Wieder eingeschaltet: Sie ist pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Ended by itself: it is disabled, and keeps everything</source>
        <translation>Von selbst beendet: Sie ist deaktiviert und behält alles</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Everything goes on</source>
        <translation>Alles läuft weiter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Everything was paused</source>
        <translation>Alles wurde pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Everything was paused until {time}</source>
        <translation>Alles wurde bis {time} pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Found not valid</source>
        <translation>Als ungültig erkannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Imported</source>
        <translation>Importiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Its environment or secrets were changed</source>
        <translation>Umgebung oder Geheimnisse wurden geändert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Its environment or secrets were changed: {names}</source>
        <translation>Umgebung oder Geheimnisse wurden geändert: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Nobody knows how it ended: it needs your decision</source>
        <translation>Niemand weiß, wie er endete: Das müssen Sie entscheiden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Paused by itself, as its runs failed in a row</source>
        <translation>Von selbst pausiert, da ihre Läufe nacheinander fehlschlugen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Quarantined: {reason}</source>
        <translation>In Quarantäne: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Released from quarantine</source>
        <translation>Aus der Quarantäne freigegeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Resumed</source>
        <translation>Fortgesetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Skipped: {reason}</source>
        <translation>Ausgelassen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>Stopped on request</source>
        <translation>Auf Wunsch gestoppt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>The clock was set back by {duration}</source>
        <translation>Die Uhr wurde um {duration} zurückgestellt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>The computer slept, or its clock was set forward, by {duration}</source>
        <translation>Der Computer schlief {duration} lang, oder seine Uhr wurde so weit vorgestellt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>The scheduler could not finish a pass; the log says more</source>
        <translation>Der Planer konnte einen Durchgang nicht beenden; mehr steht im Protokoll</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>The scheduler could not plan a routine: {reason}</source>
        <translation>Der Planer konnte eine Routine nicht planen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>The scheduler could not plan {number} routines: {reason}</source>
        <translation>Der Planer konnte {number} Routinen nicht planen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>{number} earlier times were missed; this run stands for all of them</source>
        <translation>{number} frühere Termine wurden verpasst; dieser Lauf steht für sie alle</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/activity_words.py"/>
        <source>{state}: {reason}</source>
        <translation>{state}: {reason}</translation>
    </message>
</context>
<context>
    <name>Acts</name>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Delete “{name}”</source>
        <translation>„{name}“ löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Not decided</source>
        <translation>Nicht entschieden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Not enabled</source>
        <translation>Nicht eingeschaltet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Not released</source>
        <translation>Nicht freigegeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Not retried</source>
        <translation>Nicht wiederholt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Pause “{name}”</source>
        <translation>„{name}“ pausieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/acts.py"/>
        <source>Resume “{name}”</source>
        <translation>„{name}“ fortsetzen</translation>
    </message>
</context>
<context>
    <name>AttemptsTable</name>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Attempt</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Ended with</source>
        <translation>Ende mit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/attempts_table.py"/>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
</context>
<context>
    <name>Bar</name>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Bars</name>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>Do what the notice offers</source>
        <translation>Tun, was der Hinweis anbietet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>CadenceEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source> minutes</source>
        <translation> Minuten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source> runs</source>
        <translation> Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>&amp;How often</source>
        <translation>Wie &amp;häufig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>&amp;Until</source>
        <translation>&amp;Längstens bis</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>A run at that very time is the last. Then the routine is disabled, and keeps everything.</source>
        <translation>Ein Lauf genau zu dieser Zeit ist der letzte. Danach wird die Routine deaktiviert und behält alles.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>After its run the routine is disabled, and keeps everything.</source>
        <translation>Nach ihrem Lauf wird die Routine deaktiviert und behält alles.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>By a cron expression</source>
        <translation>Nach einem Cron-Ausdruck</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Counted from here, whatever the clocks do.</source>
        <translation>Von hier an gezählt, was die Uhren auch tun.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Cron expression</source>
        <translation>Cron-Ausdruck</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Day and time come from here. Where a month has no such day, it runs on its last one.</source>
        <translation>Tag und Uhrzeit kommen von hier. Hat ein Monat diesen Tag nicht, läuft sie an seinem letzten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Day of the week and time come from here.</source>
        <translation>Wochentag und Uhrzeit kommen von hier.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every day</source>
        <translation>Jeden Tag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every hour</source>
        <translation>Jede Stunde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every month</source>
        <translation>Jeden Monat</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every so many minutes</source>
        <translation>Alle so viele Minuten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every week</source>
        <translation>Jede Woche</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Every year</source>
        <translation>Jedes Jahr</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Expression</source>
        <translation>Ausdruck</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Five fields, or six with the seconds first.</source>
        <translation>Fünf Felder, oder sechs mit den Sekunden zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>From when</source>
        <translation>Von wann an</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>How often</source>
        <translation>Wie häufig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Interva&amp;l</source>
        <translation>Abstan&amp;d</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Minutes from one run to the next</source>
        <translation>Minuten von einem Lauf zum nächsten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Missed times</source>
        <translation>Verpasste Zeiten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Once</source>
        <translation>Einmal</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Run each of them</source>
        <translation>Jede nachholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Run once for all of them</source>
        <translation>Einmal für alle nachholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Runs at most</source>
        <translation>Läufe höchstens</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Runs by hand do not count. After the last one the routine is disabled.</source>
        <translation>Läufe von Hand zählen nicht. Nach dem letzten wird die Routine deaktiviert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Skip them</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>The minute comes from here.</source>
        <translation>Die Minute kommt von hier.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>The time comes from here.</source>
        <translation>Die Uhrzeit kommt von hier.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>Until when</source>
        <translation>Bis wann</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>at once</source>
        <translation>sofort</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>no end</source>
        <translation>kein Ende</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cadence_editor.py"/>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
</context>
<context>
    <name>Cells</name>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>Enter folds them again.</source>
        <translation>Mit der Eingabetaste werden sie wieder zusammengefasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>Enter shows all of them.</source>
        <translation>Die Eingabetaste zeigt sie alle.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>Newest first: {results}</source>
        <translation>Neueste zuerst: {results}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>While its failed run is held, no other run of it starts.</source>
        <translation>Solange ihr fehlgeschlagener Lauf wartet, startet kein anderer.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>due since {time}</source>
        <translation>fällig seit {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>exit {code}</source>
        <translation>Exit {code}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>failed {time}</source>
        <translation>endete {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>none settled</source>
        <translation>noch keins</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>not run yet</source>
        <translation>noch nie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>on schedule</source>
        <translation>nach Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>since {time}</source>
        <translation>seit {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>the clock was ahead until {time}</source>
        <translation>die Uhr ging bis {time} vor</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cells.py"/>
        <source>{number} skipped since {time}</source>
        <translation>{number} ausgelassen seit {time}</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>1 minute</source>
        <translation>1 Minute</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>After that it never runs.</source>
        <translation>Danach läuft sie nie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Familiar</source>
        <translation>Familiar</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>It is a draft. Saving makes it a routine that is paused, or active if you say so.</source>
        <translation>Sie ist ein Entwurf. Mit dem Speichern wird daraus eine Routine, die pausiert ist, oder aktiv, wenn Sie es sagen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>It is paused then: nothing of it runs until it is active.</source>
        <translation>Sie ist dann pausiert: Nichts von ihr läuft, bis sie aktiv ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>It runs next: {moment}, {relative}.</source>
        <translation>Nächster Lauf: {moment}, {relative}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>It was found invalid. Saving makes it a routine again, paused or active as you say.</source>
        <translation>Sie war ungültig. Mit dem Speichern wird daraus wieder eine Routine, pausiert oder aktiv, wie Sie es sagen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>No second attempt.</source>
        <translation>Kein zweiter Versuch.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Nothing is changed yet.</source>
        <translation>Noch ist nichts geändert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Only after a run that: {classes}.</source>
        <translation>Nur nach einem Lauf, der: {classes}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Stop after</source>
        <translation>Stoppen nach</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Tags</source>
        <translation>Stichwörter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>The run planned for {moment} has not begun, and will not: it belongs to the revision before.</source>
        <translation>Der für {moment} geplante Lauf hat nicht begonnen und entfällt: Er gehört zur vorigen Fassung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>The runs planned for {moments} have not begun, and will not: they belong to the revision before.</source>
        <translation>Die für {moments} geplanten Läufe haben nicht begonnen und entfallen: Sie gehören zur vorigen Fassung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Up to {attempts} attempts, each {seconds} s after the one before.</source>
        <translation>Bis zu {attempts} Versuche, jeder {seconds} s nach dem vorigen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Up to {attempts} attempts, with pauses that grow from {seconds} s.</source>
        <translation>Bis zu {attempts} Versuche, mit wachsenden Pausen ab {seconds} s.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Up to {attempts} attempts, without a pause.</source>
        <translation>Bis zu {attempts} Versuche, ohne Pause.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>Working folder</source>
        <translation>Arbeitsordner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>a request to delete it</source>
        <translation>ein Wunsch, sie zu löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>approval policy</source>
        <translation>Freigaberegel</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>behind what is in {path}</source>
        <translation>hinter dem, was in {path} steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>capabilities</source>
        <translation>Fähigkeiten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>how long its history is kept</source>
        <translation>wie lange ihr Verlauf aufgehoben wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>in a notification</source>
        <translation>in einer Benachrichtigung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>in place of what is in {path}</source>
        <translation>anstelle dessen, was in {path} steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>kept with the run</source>
        <translation>beim Lauf aufbewahrt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>the runtime's own choice</source>
        <translation>was die Runtime wählt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>where it comes from</source>
        <translation>woher sie stammt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>{count} lines</source>
        <translation>{count} Zeilen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/changes.py"/>
        <source>{count} minutes</source>
        <translation>{count} Minuten</translation>
    </message>
</context>
<context>
    <name>ChangesView</name>
    <message>
        <location filename="../../coven_desktop/ui/changes_view.py"/>
        <source>What saving changes</source>
        <translation>Was sich mit dem Speichern ändert</translation>
    </message>
</context>
<context>
    <name>CheckRows</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/check_rows.py"/>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/check_rows.py"/>
        <source>Test: {subject}</source>
        <translation>Test: {subject}</translation>
    </message>
</context>
<context>
    <name>Checkup</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Agent commands</source>
        <translation>Befehle der Agenten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Database and backups</source>
        <translation>Datenbank und Sicherungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Folder and app</source>
        <translation>Ordner und App</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Keyring</source>
        <translation>Schlüsselbund</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Looking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Mend it in the settings, under General.</source>
        <translation>Beheben Sie das in den Einstellungen unter „Allgemein“.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Not installed: {names}.</source>
        <translation>Nicht installiert: {names}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Nothing was said about it.</source>
        <translation>Darüber wurde nichts gesagt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Only routines that are given secrets need one.</source>
        <translation>Nur Routinen, die Geheimnisse bekommen, brauchen einen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Routines</source>
        <translation>Routinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>So Coven Desktop tells you when something needs your decision.</source>
        <translation>So meldet Coven Desktop, wenn etwas Ihre Entscheidung braucht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Start at login</source>
        <translation>Start bei der Anmeldung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>This is a test</source>
        <translation>Das ist ein Test</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>This program</source>
        <translation>Dieses Programm</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Time zones</source>
        <translation>Zeitzonen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/checkup.py"/>
        <source>Tray icon</source>
        <translation>Symbol in der Leiste</translation>
    </message>
</context>
<context>
    <name>Choices</name>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>A stop of this run has no outcome yet.</source>
        <translation>Ein Stopp dieses Laufs hat noch kein Ergebnis.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>How its last attempt ended is known.</source>
        <translation>Wie sein letzter Versuch endete, ist bekannt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>It has had ten attempts, which is the most.</source>
        <translation>Er hatte zehn Versuche, mehr gibt es nicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>It has no run that could be tried again.</source>
        <translation>Es gibt keinen Lauf, der wiederholt werden könnte.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its deadline, {time}, has passed.</source>
        <translation>Seine Frist, {time}, ist abgelaufen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its routine is deleted.</source>
        <translation>Seine Routine ist gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its routine is paused: resume it first.</source>
        <translation>Seine Routine ist pausiert: Setzen Sie sie zuerst fort.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its routine is quarantined: release it first.</source>
        <translation>Seine Routine ist in Quarantäne: Geben Sie sie zuerst frei.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its routine is {state}, not active.</source>
        <translation>Seine Routine ist {state}, nicht aktiv.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>Its session may still live: stop it first.</source>
        <translation>Seine Sitzung lebt vielleicht noch: Stoppen Sie sie zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>This run does not wait for a decision any more.</source>
        <translation>Dieser Lauf wartet nicht mehr auf eine Entscheidung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/choices.py"/>
        <source>This run is not held any more.</source>
        <translation>Dieser Lauf wird nicht mehr zurückgehalten.</translation>
    </message>
</context>
<context>
    <name>ConflictDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>All as it is now</source>
        <translation>Alles wie jetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>All as you entered</source>
        <translation>Alles wie eingegeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>Both changed {names}: choose.</source>
        <translation>Beide haben {names} geändert: Wählen Sie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>Changed by you and elsewhere</source>
        <translation>Von Ihnen und anderswo geändert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>It is now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>It was</source>
        <translation>Bisher</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>The routine is at revision {number} now. Choose what it shall say; nothing is saved before you press Save in the form.</source>
        <translation>Die Routine ist jetzt bei Fassung {number}. Wählen Sie, was darin stehen soll; gespeichert wird erst mit „Speichern“ im Formular.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>Use these</source>
        <translation>Diese verwenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>You entered</source>
        <translation>Ihre Eingabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>{field} as it is now: {value}</source>
        <translation>{field} wie jetzt: {value}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/conflict_dialog.py"/>
        <source>{field} as you entered it: {value}</source>
        <translation>{field} wie eingegeben: {value}</translation>
    </message>
</context>
<context>
    <name>CrashDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>Coven Desktop was brought down</source>
        <translation>Coven Desktop ist abgestürzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>This is where the program stood. It names files and functions of the program and nothing that you entered. Your routines and runs are safe: what is recorded is whole.</source>
        <translation>Hier stand das Programm. Genannt werden Dateien und Funktionen des Programms und nichts, was Sie eingegeben haben. Ihre Routinen und Läufe sind sicher: Was aufgezeichnet ist, ist vollständig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/crash_dialog.py"/>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
</context>
<context>
    <name>CronEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/cron_editor.py"/>
        <source>Cron expression</source>
        <translation>Cron-Ausdruck</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cron_editor.py"/>
        <source>Lists 1,15, ranges 1-5 and steps */15 or 0-30/10; names of months and of days of the week; 0 and 7 are both Sunday. When both day fields leave something out, either one is enough, unless one of them begins with *.</source>
        <translation>Listen 1,15, Bereiche 1-5 und Schritte */15 oder 0-30/10; Namen von Monaten und Wochentagen auf Englisch; 0 und 7 sind beide Sonntag. Lassen beide Tagesfelder etwas aus, genügt eines von ihnen, außer eines beginnt mit *.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/cron_editor.py"/>
        <source>Minute, hour, day of the month, month, day of the week. As in */15 8-18 * * mon-fri.</source>
        <translation>Minute, Stunde, Tag des Monats, Monat, Wochentag. Wie in */15 8-18 * * mon-fri.</translation>
    </message>
</context>
<context>
    <name>CrontabDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>&amp;Take over 1 routine, paused</source>
        <translation>1 Routine &amp;übernehmen, pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>&amp;Take over {n} routines, paused</source>
        <translation>{n} Routinen &amp;übernehmen, pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>1 routine is taken over, paused.</source>
        <translation>1 Routine ist übernommen und pausiert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Cron still runs these jobs: take each out of the crontab when you resume it.</source>
        <translation>Cron führt diese Aufträge weiterhin aus: Nehmen Sie jeden aus der Crontab, wenn Sie ihn hier fortsetzen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Each job becomes a routine that is paused until you resume it. The crontab stays as it is, and cron goes on with it.</source>
        <translation>Aus jedem Auftrag wird eine Routine, die pausiert ist, bis Sie sie fortsetzen. Die Crontab bleibt, wie sie ist, und cron macht mit ihr weiter.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>From a &amp;file…</source>
        <translation>Aus einer &amp;Datei …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Import a crontab: {name}</source>
        <translation>Crontab importieren: {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>In the crontab</source>
        <translation>In der Crontab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Left out: {reason}</source>
        <translation>Ausgelassen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Lines of the crontab</source>
        <translation>Zeilen der Crontab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>New routine “{name}”: {when}.</source>
        <translation>Neue Routine „{name}“: {when}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>New: {when}</source>
        <translation>Neu: {when}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Not taken over: {reason}</source>
        <translation>Nicht übernommen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Nothing was taken over: {reason}</source>
        <translation>Nichts wurde übernommen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Skipped: {reason}</source>
        <translation>Übersprungen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Taking over…</source>
        <translation>Wird übernommen …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>The selected line</source>
        <translation>Die ausgewählte Zeile</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>There are no jobs in it.</source>
        <translation>Darin sind keine Aufträge.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>There is nothing to take over. Each line says why.</source>
        <translation>Es gibt nichts zu übernehmen. In jeder Zeile steht, warum.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Variables: {names}.</source>
        <translation>Variablen: {names}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>What becomes of it</source>
        <translation>Was daraus wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>Write instead: {text}</source>
        <translation>Schreiben Sie stattdessen: {text}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/crontab_dialog.py"/>
        <source>{n} routines are taken over, paused.</source>
        <translation>{n} Routinen sind übernommen und pausiert.</translation>
    </message>
</context>
<context>
    <name>DamageDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>&amp;Restore the backup</source>
        <translation>Sicherung &amp;wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>Restoring failed: {reason}</source>
        <translation>Die Wiederherstellung ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>The newest backup is of {when}: {name}. What happened since then is not in it.</source>
        <translation>Die neueste Sicherung ist von {when}: {name}. Was seither geschah, ist nicht darin.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>There is nothing to restore from here. Nothing was changed.</source>
        <translation>Von hier aus lässt sich nichts wiederherstellen. Nichts wurde geändert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/damage_dialog.py"/>
        <source>What happened</source>
        <translation>Was geschehen ist</translation>
    </message>
</context>
<context>
    <name>DataPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>&amp;Back up now</source>
        <translation>&amp;Jetzt sichern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>&amp;Restore…</source>
        <translation>&amp;Wiederherstellen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>An export has every routine with its settings, and secrets by name only.</source>
        <translation>Ein Export enthält jede Routine mit ihren Einstellungen, Geheimnisse nur dem Namen nach.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Everything is in {folder}, readable by you alone.</source>
        <translation>Alles liegt in {folder}, nur für Sie lesbar.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Export (*.json)</source>
        <translation>Export (*.json)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Export all routines</source>
        <translation>Alle Routinen exportieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>First says what becomes of each line</source>
        <translation>Sagt zuerst, was aus jeder Zeile wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>First says what would change</source>
        <translation>Sagt zuerst, was sich ändern würde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Import a &amp;crontab…</source>
        <translation>&amp;Crontab importieren …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Import a crontab</source>
        <translation>Crontab importieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Import routines</source>
        <translation>Routinen importieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Leave all as it is</source>
        <translation>Alles lassen, wie es ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Making a backup; work goes on meanwhile…</source>
        <translation>Eine Sicherung entsteht; die Arbeit geht weiter…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>No backup was made: {reason}</source>
        <translation>Es entstand keine Sicherung: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>One is made every day. Seven of each kind are kept. Secrets are in none of them.</source>
        <translation>Jeden Tag entsteht eine. Sieben jeder Art werden aufgehoben. Geheimnisse sind in keiner.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Put the selected backup in place</source>
        <translation>Die ausgewählte Sicherung einsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Restore it</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Restore the backup of {time}?</source>
        <translation>Die Sicherung von {time} wiederherstellen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Routines as a file</source>
        <translation>Routinen als Datei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Runs are going on that the backup knows nothing of. Stop them or let them end, then restore.</source>
        <translation>Läufe sind im Gang, von denen die Sicherung nichts weiß. Stoppen Sie sie oder lassen Sie sie enden, dann stellen Sie wieder her.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>Show the &amp;folder</source>
        <translation>Den &amp;Ordner zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>The backup is made and was read through: {name}</source>
        <translation>Die Sicherung ist fertig und wurde durchgelesen: {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>There is none yet.</source>
        <translation>Noch gibt es keine.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>What happened since then is not in it: routines are as they were, and what was due since then may run again. Coven Desktop reads the backup through, puts it in place and starts anew. The database that is there now is kept beside it, under another name, and nothing of it is overwritten.</source>
        <translation>Was seither geschah, ist nicht darin: Routinen sind, wie sie waren, und was seither fällig war, läuft vielleicht noch einmal. Coven Desktop liest die Sicherung durch, setzt sie ein und beginnt neu. Die jetzige Datenbank bleibt unter anderem Namen daneben, und nichts von ihr wird überschrieben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>your crontab</source>
        <translation>Ihre Crontab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>{n} routines are in {file}. Secrets are in it by name only.</source>
        <translation>{n} Routinen sind in {file}. Geheimnisse stehen nur dem Namen nach darin.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>{n} routines are taken over. They are paused: look at them, then resume them.</source>
        <translation>{n} Routinen sind übernommen. Sie sind pausiert: Sehen Sie sie an, dann setzen Sie sie fort.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>{time}, before an update, {size}</source>
        <translation>{time}, vor einer Aktualisierung, {size}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>{time}, made by you, {size}</source>
        <translation>{time}, von Ihnen, {size}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/data_page.py"/>
        <source>{time}, {size}</source>
        <translation>{time}, {size}</translation>
    </message>
</context>
<context>
    <name>DecideDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>&amp;What you found (needed; kept with the run)</source>
        <translation>Was Sie &amp;vorfanden (nötig; wird beim Lauf aufgehoben)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Attempt</source>
        <translation>Versuch</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Attempt {number} begins at once, with the routine as it was when this run began.</source>
        <translation>Versuch {number} beginnt sofort, mit der Routine, wie sie war, als dieser Lauf begann.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Attempt {number} is opened. It begins once the routine is released from quarantine.</source>
        <translation>Versuch {number} wird eröffnet. Er beginnt, sobald die Routine aus der Quarantäne freigegeben ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Began</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Beginning and end of its output</source>
        <translation>Anfang und Ende seiner Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Cannot be chosen: only the end of a run itself proves success. If you find that its work is done, choose “It failed” and write that down; nothing is done a second time.</source>
        <translation>Steht nicht zur Wahl: Nur das Ende eines Laufs selbst beweist Erfolg. Wenn Sie feststellen, dass die Arbeit getan ist, wählen Sie „Er ist fehlgeschlagen“ und schreiben Sie das auf; nichts wird ein zweites Mal getan.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Decide &amp;later</source>
        <translation>&amp;Später entscheiden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Due</source>
        <translation>Fällig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Exit</source>
        <translation>Exit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>For example: the machine lost power before the upload; nothing was sent.</source>
        <translation>Zum Beispiel: Der Strom fiel vor dem Hochladen aus; nichts wurde gesendet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>How this run of “{name}” ended is not known</source>
        <translation>Wie dieser Lauf von „{name}“ endete, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>It &amp;failed</source>
        <translation>Er ist &amp;fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>It failed</source>
        <translation>Er ist fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>It is recorded as failed with your words. Nothing is started; the routine goes on as planned.</source>
        <translation>Er wird mit Ihren Worten als fehlgeschlagen aufgezeichnet. Nichts wird gestartet; die Routine geht weiter wie geplant.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>It must end by {time}, which is {left}: the deadline is not extended.</source>
        <translation>Er muss bis {time} enden, das ist {left}: Die Frist wird nicht verlängert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>It succeeded</source>
        <translation>Er war erfolgreich</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Last news</source>
        <translation>Letztes Zeichen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Left behind</source>
        <translation>Zurückgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Look at all of its &amp;output</source>
        <translation>Ganze &amp;Ausgabe ansehen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Nothing of it was started, so it has changed nothing.</source>
        <translation>Nichts davon wurde gestartet, also hat es auch nichts geändert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Off: {why}</source>
        <translation>Nicht möglich: {why}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Retry</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Retry as a new &amp;attempt</source>
        <translation>Als &amp;neuen Versuch wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Side effects</source>
        <translation>Nebenwirkungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Still there</source>
        <translation>Noch da</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>This was decided elsewhere meanwhile. It is now: {state}.</source>
        <translation>Das wurde inzwischen anderswo entschieden. Jetzt gilt: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What attempt {number} has done, it may do again.</source>
        <translation>Was Versuch {number} getan hat, tut er vielleicht noch einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What became of “{name}”?</source>
        <translation>Was wurde aus „{name}“?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What follows from each choice</source>
        <translation>Was aus jeder Wahl folgt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What is missing</source>
        <translation>Was fehlt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What it had done by then stays done: files it wrote, messages it sent. Coven Desktop cannot see that; its output and its folder may tell.</source>
        <translation>Was bis dahin getan war, bleibt getan: geschriebene Dateien, gesendete Nachrichten. Coven Desktop kann das nicht sehen; die Ausgabe und der Ordner verraten es vielleicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>What you wrote is too long to be kept.</source>
        <translation>Ihr Text ist zu lang, um aufgehoben zu werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Write what you found; then you can decide.</source>
        <translation>Schreiben Sie, was Sie vorfanden; dann können Sie entscheiden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>Your decision is being recorded.</source>
        <translation>Ihre Entscheidung wird aufgezeichnet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>found running without it, and ended then: {names}</source>
        <translation>ohne ihn noch am Laufen gefunden und dann beendet: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>its record says: {outcome}</source>
        <translation>seine Aufzeichnung sagt: {outcome}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>its record says: {outcome}, but not everything it started had ended</source>
        <translation>seine Aufzeichnung sagt: {outcome}; aber nicht alles, was er gestartet hat, war beendet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>looking…</source>
        <translation>wird gesucht…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>never known</source>
        <translation>nie bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>none: it printed nothing</source>
        <translation>keins: Es wurde nichts ausgegeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>none: nothing was started</source>
        <translation>keiner: Nichts wurde gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>not known: it left no record of its end</source>
        <translation>nicht bekannt: Er hat keine Aufzeichnung seines Endes hinterlassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>nothing that can be recognised as its own</source>
        <translation>nichts, das als das Seine zu erkennen ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>nothing: the computer was started again since</source>
        <translation>nichts: Der Computer wurde seither neu gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>running when it was last seen, and not proven to have ended: {names}</source>
        <translation>lief, als es zuletzt gesehen wurde, und sein Ende ist nicht bewiesen: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>still running when its command ended, and ended then: {names}</source>
        <translation>lief noch, als sein Befehl endete, und wurde dann beendet: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>the process that watches over it</source>
        <translation>der Prozess, der über ihn wacht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>these processes: {names}</source>
        <translation>diese Prozesse: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{number} of {all}: {state}</source>
        <translation>{number} von {all}: {state}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{number}: {state}</source>
        <translation>{number}: {state}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{pid} (watches over it)</source>
        <translation>{pid} (wacht über ihn)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{process}, before the computer was started again</source>
        <translation>{process}, bevor der Computer neu gestartet wurde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{process}, gone</source>
        <translation>{process}, nicht mehr da</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{process}, still there</source>
        <translation>{process}, noch da</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/decide_dialog.py"/>
        <source>{time}, {duration} after it began</source>
        <translation>{time}, {duration} nach dem Beginn</translation>
    </message>
</context>
<context>
    <name>Deciding</name>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Decide…</source>
        <translation>Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Not stopped</source>
        <translation>Nicht gestoppt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Retry {number} is asked for and begins at once.</source>
        <translation>Wiederholung {number} ist verlangt und beginnt sofort.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Run “{name}”</source>
        <translation>Lauf „{name}“</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Show its runs</source>
        <translation>Ihre Läufe zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>Show output</source>
        <translation>Ausgabe zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>The routine was deleted.</source>
        <translation>Die Routine wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>The stop came too late. {reason}</source>
        <translation>Der Stopp kam zu spät. {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>The stop could not be confirmed. The run waits for your decision.</source>
        <translation>Der Stopp ließ sich nicht bestätigen. Der Lauf wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>The stop is confirmed: nothing of it is left.</source>
        <translation>Der Stopp ist bestätigt: Nichts ist davon übrig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>The stop was asked for. Waiting for proof…</source>
        <translation>Der Stopp ist verlangt. Es wird auf den Beweis gewartet…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>“{name}” is released.</source>
        <translation>„{name}“ ist freigegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>“{name}” is started.</source>
        <translation>„{name}“ ist gestartet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding.py"/>
        <source>“{name}” was not in quarantine any more.</source>
        <translation>„{name}“ war nicht mehr in Quarantäne.</translation>
    </message>
</context>
<context>
    <name>DecidingDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/deciding_dialog.py"/>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/deciding_dialog.py"/>
        <source>What is known, and what follows</source>
        <translation>Was bekannt ist, und was daraus folgt</translation>
    </message>
</context>
<context>
    <name>Delivery</name>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>It printed nothing.</source>
        <translation>Es wurde nichts ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>appended to {path}</source>
        <translation>an {path} angehängt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>as a notification, when the command has succeeded</source>
        <translation>als Benachrichtigung, wenn der Befehl erfolgreich war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>into {path}, when the command has succeeded</source>
        <translation>nach {path}, wenn der Befehl erfolgreich war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>is being written to {path}</source>
        <translation>wird in {path} geschrieben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>not written to {path}</source>
        <translation>nicht in {path} geschrieben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>perhaps written to {path}: look into the file, it is not written to again</source>
        <translation>vielleicht in {path} geschrieben: Sehen Sie in der Datei nach, es wird nicht noch einmal geschrieben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>shown as a notification</source>
        <translation>als Benachrichtigung gezeigt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>written to {path}</source>
        <translation>in {path} geschrieben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_words.py"/>
        <source>“{name}” succeeded</source>
        <translation>„{name}“ war erfolgreich</translation>
    </message>
</context>
<context>
    <name>DeliveryEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>After a run that succeeded, in one piece.</source>
        <translation>Nach einem Lauf, der gelang, in einem Stück.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>After a run that succeeded.</source>
        <translation>Nach einem Lauf, der gelang.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>After a run that succeeded; the file is whole at every moment.</source>
        <translation>Nach einem Lauf, der gelang; die Datei ist jederzeit vollständig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Behind what is there</source>
        <translation>Hinter dem, was dort steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Choose the file for the output</source>
        <translation>Die Datei für die Ausgabe wählen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>File for the output</source>
        <translation>Datei für die Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>In a notification as well</source>
        <translation>Auch in eine Benachrichtigung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>In place of what is there</source>
        <translation>Anstelle dessen, was dort steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Into a file as well</source>
        <translation>Auch in eine Datei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Kept with the run</source>
        <translation>Beim Lauf aufbewahrt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>What becomes of what is in the file</source>
        <translation>Was aus dem Inhalt der Datei wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/delivery_editor.py"/>
        <source>Where its output goes</source>
        <translation>Wohin die Ausgabe geht</translation>
    </message>
</context>
<context>
    <name>DoctorPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>&amp;Copy the report</source>
        <translation>Bericht &amp;kopieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>As text, without secrets and values of variables</source>
        <translation>Als Text, ohne Geheimnisse und Werte von Variablen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>Doctor</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>Look at &amp;all again</source>
        <translation>&amp;Alles neu prüfen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>The report is in the clipboard. It has no secrets in it.</source>
        <translation>Der Bericht ist in der Zwischenablage. Geheimnisse sind nicht darin.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/doctor_page.py"/>
        <source>What Coven Desktop needs from this machine, and how that stands. Nothing is changed by looking.</source>
        <translation>Was Coven Desktop von diesem Rechner braucht, und wie es darum steht. Das Nachsehen ändert nichts.</translation>
    </message>
</context>
<context>
    <name>DurationsPlot</name>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>1 run, {duration}</source>
        <translation>1 Lauf, {duration}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Durations of the last runs</source>
        <translation>Dauer der letzten Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>No run has ended yet</source>
        <translation>Noch ist kein Lauf zu Ende</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>longest {duration}</source>
        <translation>längster {duration}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>{number} runs, from {least} to {most}, half of them within {middle}</source>
        <translation>{number} Läufe, von {least} bis {most}, die Hälfte davon höchstens {middle}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>{time}: {outcome} after {duration}</source>
        <translation>{time}: {outcome} nach {duration}</translation>
    </message>
</context>
<context>
    <name>EmptyPages</name>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>A routine is a prompt or a script that runs by itself at its hours. Its output is kept, and how it ended is proven.</source>
        <translation>Eine Routine ist ein Prompt oder ein Skript, das zu seinen Stunden von selbst läuft. Die Ausgabe wird aufgehoben, und wie sie endete, ist bewiesen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Every run of every routine is listed here, with how it ended.</source>
        <translation>Hier steht jeder Lauf jeder Routine, und wie er endete.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Go to the routines</source>
        <translation>Zu den Routinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Go to what happened</source>
        <translation>Zu dem, was geschah</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Looking…</source>
        <translation>Wird gesucht…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Make the first routine</source>
        <translation>Die erste Routine anlegen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>No routines yet</source>
        <translation>Noch keine Routinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Nothing has happened yet</source>
        <translation>Noch ist nichts geschehen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Nothing has run yet</source>
        <translation>Noch ist nichts gelaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Nothing matches</source>
        <translation>Nichts passt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Nothing needs you</source>
        <translation>Nichts braucht Sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>Older and older events are looked through.</source>
        <translation>Immer ältere Ereignisse werden durchsucht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>The filter is “{text}”.</source>
        <translation>Der Filter lautet „{text}“.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>The first run is “{name}”, {time}.</source>
        <translation>Der erste Lauf ist „{name}“, {time}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>What is changed, runs, fails or is missed is told here, newest first.</source>
        <translation>Was geändert wird, läuft, fehlschlägt oder verpasst wird, steht hier, das Neueste zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/empty_words.py"/>
        <source>When a routine fails too often, or nobody knows how a run ended, it waits here for your decision.</source>
        <translation>Wenn eine Routine zu oft fehlschlägt oder niemand weiß, wie ein Lauf endete, wartet sie hier auf Ihre Entscheidung.</translation>
    </message>
</context>
<context>
    <name>EmptyState</name>
    <message>
        <location filename="../../coven_desktop/ui/table_parts.py"/>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
</context>
<context>
    <name>EnableDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source> runs</source>
        <translation> Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>&amp;Enable again</source>
        <translation>Wieder &amp;einschalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>&amp;From</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>&amp;Until</source>
        <translation>&amp;Bis</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>At &amp;most</source>
        <translation>&amp;Höchstens</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Enable “{name}” again</source>
        <translation>„{name}“ wieder einschalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>From when</source>
        <translation>Von wann an</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>It is being asked for.</source>
        <translation>Es wird gerade angefordert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>It is over: give a time that is still to come.</source>
        <translation>Das ist vorbei: Geben Sie eine Zeit an, die noch kommt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>It is paused then: look at it, and resume it. The count of its runs goes on, and nothing is caught up.</source>
        <translation>Sie ist dann pausiert: Sehen Sie sie an und setzen Sie sie fort. Ihre Läufe werden weitergezählt, und nichts wird nachgeholt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>It was enabled elsewhere meanwhile.</source>
        <translation>Sie wurde inzwischen anderswo eingeschaltet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Not &amp;yet</source>
        <translation>Noch &amp;nicht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Runs at most</source>
        <translation>Läufe höchstens</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Runs so far</source>
        <translation>Läufe bisher</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>So many runs were made already: give more, or no limit.</source>
        <translation>So viele Läufe gab es schon: Geben Sie mehr an, oder keine Grenze.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>The routine was deleted meanwhile.</source>
        <translation>Die Routine wurde inzwischen gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>Until when</source>
        <translation>Bis wann</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>What follows</source>
        <translation>Was folgt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>What it was</source>
        <translation>Was sie war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>no end</source>
        <translation>kein Ende</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>no limit</source>
        <translation>keine Grenze</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>“{name}” has ended: {reason}</source>
        <translation>„{name}“ ist beendet: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/enable_dialog.py"/>
        <source>“{name}” is disabled</source>
        <translation>„{name}“ ist deaktiviert</translation>
    </message>
</context>
<context>
    <name>Ended</name>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>Paused by itself: its run failed</source>
        <translation>Von selbst pausiert: Ihr Lauf schlug fehl</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>Paused by itself: {number} runs in a row failed</source>
        <translation>Von selbst pausiert: {number} Läufe nacheinander schlugen fehl</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>its end has come, {until}</source>
        <translation>ihr Ende ist erreicht, {until}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>its one run was made</source>
        <translation>ihr einziger Lauf ist gelaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>its one time is over</source>
        <translation>ihre einzige Zeit ist vorbei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>its {number} runs were made</source>
        <translation>ihre {number} Läufe sind gelaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ended_words.py"/>
        <source>no further time comes</source>
        <translation>keine weitere Zeit kommt</translation>
    </message>
</context>
<context>
    <name>Ending</name>
    <message>
        <location filename="../../coven_desktop/ui/ending.py"/>
        <source>&amp;Give up…</source>
        <translation>&amp;Aufgeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ending.py"/>
        <source>&amp;Stop…</source>
        <translation>&amp;Stoppen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ending.py"/>
        <source>Can&amp;cel…</source>
        <translation>Ab&amp;brechen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ending.py"/>
        <source>Meanwhile it is: {state}.</source>
        <translation>Inzwischen gilt: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/ending.py"/>
        <source>Not done</source>
        <translation>Nicht getan</translation>
    </message>
</context>
<context>
    <name>Environment</name>
    <message>
        <location filename="../../coven_desktop/ui/environment_editor.py"/>
        <source>Line {n} must be NAME=value.</source>
        <translation>Zeile {n} muss NAME=Wert lauten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/environment_editor.py"/>
        <source>{name} (not kept yet)</source>
        <translation>{name} (noch nicht hinterlegt)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/environment_editor.py"/>
        <source>{name} stands here twice.</source>
        <translation>{name} steht hier zweimal.</translation>
    </message>
</context>
<context>
    <name>EnvironmentEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/environment_editor.py"/>
        <source>Environment variables for the command, one a line: NAME=value. They are stored as they stand and can be read by whoever reads the database: a password or token belongs into a secret.</source>
        <translation>Umgebungsvariablen für den Befehl, eine je Zeile: NAME=Wert. Sie werden gespeichert, wie sie dastehen, und jeder kann sie lesen, der die Datenbank liest: Ein Passwort oder Token gehört in ein Geheimnis.</translation>
    </message>
</context>
<context>
    <name>FailedRuns</name>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>It printed nothing.</source>
        <translation>Es wurde nichts ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>Its last failed runs</source>
        <translation>Ihre letzten fehlgeschlagenen Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>Its output cannot be read: {reason}</source>
        <translation>Die Ausgabe ist nicht lesbar: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>No failed run is in the database any more.</source>
        <translation>In der Datenbank ist kein fehlgeschlagener Lauf mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>Nothing was started, so it printed nothing.</source>
        <translation>Nichts wurde gestartet, also wurde auch nichts ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>Reading its last runs…</source>
        <translation>Ihre letzten Läufe werden gelesen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>Run of {time}: at attempt {number} it {what}</source>
        <translation>Lauf von {time}: Bei Versuch {number}: {what}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/failed_runs.py"/>
        <source>[… {count} more bytes are in the run's output …]</source>
        <translation>[… {count} weitere Bytes stehen in der Ausgabe des Laufs …]</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <location filename="../../coven_desktop/app.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/app.py"/>
        <source>Coven Desktop cannot start</source>
        <translation>Coven Desktop kann nicht starten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/app.py"/>
        <source>Go on without it</source>
        <translation>Ohne sie weitermachen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/app.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/app.py"/>
        <source>The backup was not restored</source>
        <translation>Die Sicherung wurde nicht wiederhergestellt</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <location filename="../../coven_desktop/ui/field.py"/>
        <source>Use the suggestion</source>
        <translation>Vorschlag übernehmen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/field.py"/>
        <source>Use {suggestion}</source>
        <translation>{suggestion} übernehmen</translation>
    </message>
</context>
<context>
    <name>FilterEdit</name>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>Filter: words, status: due: tag: runtime: zone:</source>
        <translation>Filter: Wörter, status: due: tag: runtime: zone:</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>&amp;Skip</source>
        <translation>Ü&amp;berspringen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>A prompt for {agent}: what changed in your home folder today, in five lines.</source>
        <translation>Ein Prompt für {agent}: was sich heute in Ihrem persönlichen Ordner geändert hat, in fünf Zeilen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>A routine is a prompt or a script with a schedule. It runs while Coven Desktop runs; its output is kept, and it counts as done only with proof. What went wrong waits for you. This was found here:</source>
        <translation>Eine Routine ist ein Prompt oder ein Skript mit einem Zeitplan. Sie läuft, solange Coven Desktop läuft; ihre Ausgabe wird aufgehoben, und als getan gilt sie nur mit Beweis. Was schiefging, wartet auf Sie. Das wurde hier gefunden:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>A script that says how this machine is: date, uptime and free space. It needs no agent.</source>
        <translation>Ein Skript, das sagt, wie es diesem Rechner geht: Datum, Laufzeit und freier Platz. Es braucht keinen Agenten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Begin with a sample?</source>
        <translation>Mit einem Beispiel beginnen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>It is made, paused, but did not start: {reason}</source>
        <translation>Es ist angelegt und pausiert, startete aber nicht: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>It was not made: {reason}</source>
        <translation>Es wurde nicht angelegt: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Look at the names and dates of the files directly in this folder, without changing anything. Say in five lines what changed today.</source>
        <translation>Sieh dir Namen und Datum der Dateien direkt in diesem Ordner an, ohne etwas zu ändern. Sag in fünf Zeilen, was sich heute geändert hat.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Make it and &amp;run it once</source>
        <translation>Anlegen und einmal &amp;ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Make it, &amp;paused</source>
        <translation>Anlegen, &amp;pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Sample: a morning note by {agent}</source>
        <translation>Beispiel: eine Morgennotiz von {agent}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Sample: this machine this morning</source>
        <translation>Beispiel: dieser Rechner heute Morgen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Start at &amp;login, in the tray</source>
        <translation>Bei der An&amp;meldung starten, in der Leiste</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Welcome to Coven Desktop</source>
        <translation>Willkommen bei Coven Desktop</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/first_run.py"/>
        <source>Your agents' recurring work, run on time and proven</source>
        <translation>Die wiederkehrende Arbeit Ihrer Agenten, pünktlich und bewiesen</translation>
    </message>
</context>
<context>
    <name>Forms</name>
    <message>
        <location filename="../../coven_desktop/ui/forms.py"/>
        <source>Copy of {name}</source>
        <translation>Kopie von {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/forms.py"/>
        <source>they were changed elsewhere meanwhile. Look at them, then save again.</source>
        <translation>sie wurden inzwischen anderswo geändert. Sehen Sie sie an und speichern Sie dann noch einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/forms.py"/>
        <source>“{name}” is saved, but it could not be made active: {reason}</source>
        <translation>„{name}“ ist gespeichert, ließ sich aber nicht aktivieren: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/forms.py"/>
        <source>“{name}” is saved, but it could not be paused: {reason}</source>
        <translation>„{name}“ ist gespeichert, ließ sich aber nicht pausieren: {reason}</translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source> days</source>
        <translation> Tage</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>&amp;Colours:</source>
        <translation>Fa&amp;rben:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>&amp;Delete history that is older than</source>
        <translation>&amp;Verlauf löschen, der älter ist als</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>&amp;Notify me when something needs my decision</source>
        <translation>&amp;Benachrichtigen, wenn etwas meine Entscheidung braucht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>&amp;Quietly, without sound</source>
        <translation>Leise, &amp;ohne Ton</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Also of &amp;each run that failed</source>
        <translation>Auch bei &amp;jedem fehlgeschlagenen Lauf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Coven Desktop does not start at login: nothing runs until you start it.</source>
        <translation>Coven Desktop startet bei der Anmeldung nicht: Nichts läuft, bis Sie es starten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Coven Desktop starts at login, in the tray.</source>
        <translation>Coven Desktop startet bei der Anmeldung, in der Leiste.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Days of history that are kept</source>
        <translation>Tage, die der Verlauf aufgehoben wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Delete history older than {n} days?</source>
        <translation>Verlauf löschen, der älter als {n} Tage ist?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Delete what is older</source>
        <translation>Älteres löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>It is switched off in {file}, perhaps by your desktop's own settings.</source>
        <translation>In {file} ist es abgeschaltet, vielleicht durch die Einstellungen Ihres Desktops.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Keep running in the &amp;tray when the window is closed</source>
        <translation>In der &amp;Leiste weiterlaufen, wenn das Fenster geschlossen wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Let it count</source>
        <translation>Gelten lassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Login cannot start it: {file} names no program that is there.</source>
        <translation>Die Anmeldung kann es nicht starten: {file} nennt kein Programm, das da ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Login starts something else: {program}</source>
        <translation>Die Anmeldung startet etwas anderes: {program}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Looks</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Mend it</source>
        <translation>Beheben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Of routines with a cron schedule. The others are quarantined by their retries.</source>
        <translation>Für Routinen mit Cron-Zeitplan. Die anderen kommen nach ihren Wiederholungen in Quarantäne.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Pause a routine after &amp;failures in a row:</source>
        <translation>Eine Routine pausieren nach &amp;Fehlschlägen in Folge:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Runs at the same &amp;time:</source>
        <translation>Läufe zur selben &amp;Zeit:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Runs that were settled longer ago are deleted with their output, in some minutes and then every few hours. That cannot be undone. What is open, and the newest run of each routine, stays.</source>
        <translation>Läufe, die länger abgeschlossen sind, werden mit ihrer Ausgabe gelöscht, in einigen Minuten und danach alle paar Stunden. Das lässt sich nicht rückgängig machen. Was offen ist, und der neueste Lauf jeder Routine, bleibt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Start at &amp;login, in the tray</source>
        <translation>Bei der An&amp;meldung starten, in der Leiste</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Start this one</source>
        <translation>Dieses starten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Starting</source>
        <translation>Start</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Unless you say so here, everything is kept. Routines are never deleted by this.</source>
        <translation>Wenn Sie es hier nicht anders sagen, wird alles aufgehoben. Routinen werden dadurch nie gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>What is due beyond that waits for its turn. Run now never waits.</source>
        <translation>Was darüber hinaus fällig ist, wartet, bis es dran ist. „Jetzt ausführen“ wartet nie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>Write dates as &amp;2026-12-24 18:00</source>
        <translation>Datum als &amp;2026-12-24 18:00 schreiben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>no limit</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/general_page.py"/>
        <source>{file} says that it does not count on this desktop.</source>
        <translation>{file} sagt, dass es auf diesem Desktop nicht gilt.</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>&amp;Take over 1 routine, paused</source>
        <translation>1 Routine &amp;übernehmen, pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>&amp;Take over {n} routines, paused</source>
        <translation>{n} Routinen &amp;übernehmen, pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>1 routine is taken over, paused.</source>
        <translation>1 Routine ist übernommen, pausiert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Everything that is taken over is paused until you resume it. A routine that differs from yours takes its place when you tick it; what yours said before stays in its history.</source>
        <translation>Alles Übernommene ist pausiert, bis Sie es fortsetzen. Eine Routine, die anders als Ihre ist, tritt an deren Stelle, wenn Sie sie ankreuzen; was Ihre vorher sagte, bleibt in ihrem Verlauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Import from {file}</source>
        <translation>Import aus {file}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Routines in the file</source>
        <translation>Routinen in der Datei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>Taking over…</source>
        <translation>Wird übernommen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>There are no routines in this file.</source>
        <translation>In dieser Datei sind keine Routinen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>differs from yours</source>
        <translation>anders als Ihre</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>the same is here</source>
        <translation>ist hier schon so</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>{n} routines are taken over, paused.</source>
        <translation>{n} Routinen sind übernommen, pausiert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>“{name}” cannot be taken over: {reason}.</source>
        <translation>„{name}“ kann nicht übernommen werden: {reason}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>“{name}” is here already and says the same: there is nothing to take over.</source>
        <translation>„{name}“ ist schon da und sagt dasselbe: Es gibt nichts zu übernehmen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>“{name}” is here. Taking it over changes:</source>
        <translation>„{name}“ ist da. Beim Übernehmen ändert sich:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>“{name}” is new. It says:</source>
        <translation>„{name}“ ist neu. Darin steht:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_dialog.py"/>
        <source>“{name}”: {reason}</source>
        <translation>„{name}“: {reason}</translation>
    </message>
</context>
<context>
    <name>ImportPlan</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>it is in the file twice</source>
        <translation>sie steht zweimal in der Datei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>it was not understood any more when it was exported</source>
        <translation>sie wurde schon beim Export nicht mehr verstanden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>this version does not know its kind of schedule</source>
        <translation>diese Version kennt die Art ihres Zeitplans nicht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} cannot be read: {reason}.</source>
        <translation>{file} ist nicht lesbar: {reason}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} is no export of Coven Desktop.</source>
        <translation>{file} ist kein Export von Coven Desktop.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} is no export: {reason}.</source>
        <translation>{file} ist kein Export: {reason}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} is no file.</source>
        <translation>{file} ist keine Datei.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} is no text in UTF-8.</source>
        <translation>{file} ist kein Text in UTF-8.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/import_plan.py"/>
        <source>{file} is too large: there may be {size} at most.</source>
        <translation>{file} ist zu groß: Höchstens {size} sind möglich.</translation>
    </message>
</context>
<context>
    <name>Importer</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/importer.py"/>
        <source>it is taken over, but not its variables and secrets: {reason}</source>
        <translation>sie ist übernommen, aber nicht ihre Variablen und Geheimnisse: {reason}</translation>
    </message>
</context>
<context>
    <name>Lawful</name>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>&amp;Decide…</source>
        <translation>&amp;Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>&amp;Give up…</source>
        <translation>&amp;Aufgeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>A draft has no hours yet. Edit and save it first.</source>
        <translation>Ein Entwurf hat noch keine Stunden. Bearbeiten und speichern Sie ihn zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>D&amp;uplicate…</source>
        <translation>&amp;Duplizieren…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Edit it, and mend what is said there; then it can be resumed.</source>
        <translation>Bearbeiten Sie sie und beheben Sie, was dort steht; dann kann sie fortgesetzt werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Ena&amp;ble again…</source>
        <translation>Wieder e&amp;inschalten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Finish it in the form; saved, it is paused until you resume it.</source>
        <translation>Vollenden Sie sie im Formular; gespeichert ist sie pausiert, bis Sie sie fortsetzen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It cannot be read any more. Edit it first.</source>
        <translation>Sie ist nicht mehr lesbar. Bearbeiten Sie sie zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It failed too often. Release it first, then its failed run can be retried.</source>
        <translation>Sie schlug zu oft fehl. Geben Sie sie zuerst frei, dann kann ihr fehlgeschlagener Lauf wiederholt werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It failed too often. See why, then release it; until then it does not run.</source>
        <translation>Sie schlug zu oft fehl. Sehen Sie nach, warum, und geben Sie sie dann frei; bis dahin läuft sie nicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is a draft. Edit and save it first.</source>
        <translation>Sie ist ein Entwurf. Bearbeiten und speichern Sie sie zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is being stopped already.</source>
        <translation>Er wird schon gestoppt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is deleted already.</source>
        <translation>Sie ist schon gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is deleted: only its history is left. Duplicate it to have it again.</source>
        <translation>Sie ist gelöscht: Nur ihr Verlauf ist übrig. Duplizieren Sie sie, um sie wieder zu haben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is disabled. Enable it again first, or duplicate it to have another one.</source>
        <translation>Sie ist deaktiviert. Schalten Sie sie zuerst wieder ein, oder duplizieren Sie sie, um eine andere zu haben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is disabled. Enable it again first, then it can be changed; or duplicate it.</source>
        <translation>Sie ist deaktiviert. Schalten Sie sie zuerst wieder ein, dann kann sie geändert werden; oder duplizieren Sie sie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is disabled: there is nothing to pause.</source>
        <translation>Sie ist abgeschaltet: Es gibt nichts zu pausieren.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is not valid. Edit it first.</source>
        <translation>Sie ist ungültig. Bearbeiten Sie sie zuerst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>It is over.</source>
        <translation>Er ist vorbei.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Its history is kept. Duplicate it to have it again.</source>
        <translation>Ihr Verlauf ist aufgehoben. Duplizieren Sie sie, um sie wieder zu haben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Its routine is deleted: the failed run can only be given up.</source>
        <translation>Ihre Routine ist gelöscht: Der fehlgeschlagene Lauf kann nur aufgegeben werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Its routine was deleted: its failed run can only be given up.</source>
        <translation>Seine Routine wurde gelöscht: Der fehlgeschlagene Lauf kann nur aufgegeben werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Nobody knows how it ended: look, and decide.</source>
        <translation>Niemand weiß, wie er endete: Sehen Sie nach und entscheiden Sie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Nobody knows how its last run ended: look, and decide.</source>
        <translation>Niemand weiß, wie ihr letzter Lauf endete: Sehen Sie nach und entscheiden Sie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Re&amp;lease…</source>
        <translation>&amp;Freigeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Release its routine first, then it can be retried.</source>
        <translation>Geben Sie zuerst seine Routine frei, dann kann er wiederholt werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Resum&amp;e</source>
        <translation>F&amp;ortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Resume it, and it runs at its hours again.</source>
        <translation>Setzen Sie sie fort, und sie läuft wieder zu ihren Stunden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Retr&amp;y…</source>
        <translation>&amp;Wiederholen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Retry the failed run, or give it up; until then no other run starts.</source>
        <translation>Wiederholen Sie den fehlgeschlagenen Lauf oder geben Sie ihn auf; bis dahin startet kein anderer.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>S&amp;how…</source>
        <translation>Z&amp;eigen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Take it back, with another end if it needs one.</source>
        <translation>Nehmen Sie sie wieder auf, mit einem anderen Ende, wenn sie eines braucht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>Try it again, or give it up.</source>
        <translation>Wiederholen Sie ihn oder geben Sie ihn auf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/lawful.py"/>
        <source>{what}. See why, mend it, then resume it: its failures are counted anew.</source>
        <translation>{what}. Sehen Sie nach, warum, beheben Sie es und setzen Sie sie dann fort: Ihre Fehlschläge werden neu gezählt.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>&amp;New routine</source>
        <translation>&amp;Neue Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Activity</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Clock shifted by {duration}</source>
        <translation>Uhr um {duration} verstellt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Detail</source>
        <translation>Einzelheit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Due (your time)</source>
        <translation>Fällig (Ihre Zeit)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Last pass {time}</source>
        <translation>Letzter Durchgang {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Last results</source>
        <translation>Zuletzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Make a routine</source>
        <translation>Eine Routine anlegen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Needs attention</source>
        <translation>Handlungsbedarf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Needs attention ({number})</source>
        <translation>Handlungsbedarf ({number})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Next run (your time)</source>
        <translation>Nächster Lauf (Ihre Zeit)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Next wake {time}</source>
        <translation>Nächstes Aufwachen {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>No pass yet</source>
        <translation>Noch kein Durchgang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Occurrences</source>
        <translation>Termine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Routine</source>
        <translation>Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Routines</source>
        <translation>Routinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/window.py"/>
        <source>Show what needs &amp;attention</source>
        <translation>&amp;Handlungsbedarf zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/leading.py"/>
        <source>There is no routine “{id}” any more.</source>
        <translation>Eine Routine „{id}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/leading.py"/>
        <source>This run is not kept any more.</source>
        <translation>Dieser Lauf ist nicht mehr aufgehoben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Took</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>What is so</source>
        <translation>Was ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>What is yours to decide</source>
        <translation>Was Sie entscheiden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>When (your time)</source>
        <translation>Wann (Ihre Zeit)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pages.py"/>
        <source>Zone</source>
        <translation>Zone</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;About Coven Desktop</source>
        <translation>Ü&amp;ber Coven Desktop</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Close the window</source>
        <translation>Fenster &amp;schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Filter</source>
        <translation>&amp;Filter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Read me</source>
        <translation>&amp;Lies mich</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Routine</source>
        <translation>&amp;Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Sort by</source>
        <translation>&amp;Sortieren nach</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Timeline</source>
        <translation>&amp;Zeitleiste</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;Undo the deletion</source>
        <translation>&amp;Löschen rückgängig machen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>Filter the rows</source>
        <translation>Die Zeilen filtern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>How Coven Desktop is used</source>
        <translation>Wie Coven Desktop benutzt wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>Quit Coven Desktop</source>
        <translation>Coven Desktop beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>R&amp;un</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>Take back what was deleted</source>
        <translation>Zurückholen, was gelöscht wurde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>The app goes on in the tray</source>
        <translation>Die App läuft in der Leiste weiter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>Version, licence and where it keeps what</source>
        <translation>Version, Lizenz und wo was abgelegt ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>{column}, ascending</source>
        <translation>{column}, aufsteigend</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/menus.py"/>
        <source>{column}, descending</source>
        <translation>{column}, absteigend</translation>
    </message>
</context>
<context>
    <name>MomentEdit</name>
    <message>
        <location filename="../../coven_desktop/ui/moment_edit.py"/>
        <source>Calendar</source>
        <translation>Kalender</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/moment_edit.py"/>
        <source>Choose the day</source>
        <translation>Den Tag wählen</translation>
    </message>
</context>
<context>
    <name>NoteField</name>
    <message>
        <location filename="../../coven_desktop/ui/note_field.py"/>
        <source>{count} characters left</source>
        <translation>noch {count} Zeichen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/note_field.py"/>
        <source>{count} characters too many</source>
        <translation>{count} Zeichen zu viel</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>Do what the notice offers</source>
        <translation>Tun, was der Hinweis anbietet</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>1 time was missed.</source>
        <translation>1 Zeit wurde verpasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Decide…</source>
        <translation>Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>How {n} runs ended is not known</source>
        <translation>Wie {n} Läufe endeten, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>How “{name}” ended is not known</source>
        <translation>Wie „{name}“ endete, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>It does not run until you resume it.</source>
        <translation>Sie läuft nicht, bis Sie sie fortsetzen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Nothing else of it starts until you decide.</source>
        <translation>Nichts anderes davon startet, bis Sie entscheiden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Nothing else of it starts until you retry it or give it up.</source>
        <translation>Nichts anderes davon startet, bis Sie den Lauf wiederholen oder aufgeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Nothing else of them starts until you decide.</source>
        <translation>Nichts anderes von ihnen startet, bis Sie entscheiden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Nothing of it starts until you release it.</source>
        <translation>Nichts davon startet, bis Sie sie freigeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notices.py"/>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Release…</source>
        <translation>Freigeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Retry…</source>
        <translation>Wiederholen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>Since then: {counts}.</source>
        <translation>Seitdem: {counts}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>While the computer or the app was off</source>
        <translation>Während der Computer oder die App aus war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{names} and {n} more.</source>
        <translation>{names} und {n} weitere.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} failed</source>
        <translation>{n} fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} ran</source>
        <translation>{n} gelaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} routines are paused after failures in a row</source>
        <translation>{n} Routinen sind nach Fehlschlägen in Folge pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} routines are quarantined</source>
        <translation>{n} Routinen sind in Quarantäne</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} routines failed</source>
        <translation>{n} Routinen sind fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} runs failed and are held for your retry</source>
        <translation>{n} Läufe sind fehlgeschlagen und warten auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} still to end</source>
        <translation>{n} noch nicht zu Ende</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>{n} times were missed.</source>
        <translation>{n} Zeiten wurden verpasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>“{name}” failed</source>
        <translation>„{name}“ ist fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>“{name}” failed and is held for your retry</source>
        <translation>„{name}“ ist fehlgeschlagen und wartet auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>“{name}” is paused: {n} runs in a row failed</source>
        <translation>„{name}“ ist pausiert: {n} Läufe in Folge sind fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/notice_words.py"/>
        <source>“{name}” is quarantined</source>
        <translation>„{name}“ ist in Quarantäne</translation>
    </message>
</context>
<context>
    <name>Obstacles</name>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>A run of it has been going on since {time}, and only one may be at a time.</source>
        <translation>Ein Lauf von ihr ist seit {time} im Gang, und nur einer darf es sein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>A run of it is going on, and only one may be at a time.</source>
        <translation>Ein Lauf von ihr ist im Gang, und nur einer darf es sein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>All schedules are paused until {time}. A run by hand starts all the same.</source>
        <translation>Alle Zeitpläne sind bis {time} pausiert. Ein Lauf von Hand startet trotzdem.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>All schedules are paused. A run by hand starts all the same.</source>
        <translation>Alle Zeitpläne sind pausiert. Ein Lauf von Hand startet trotzdem.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Another run of it is still open, and only one may be at a time.</source>
        <translation>Ein anderer Lauf von ihr ist noch offen, und nur einer darf es sein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>How its last run ended is not known. Until you decide that, no other run starts.</source>
        <translation>Wie ihr letzter Lauf endete, ist nicht bekannt. Bis Sie das entscheiden, startet kein anderer Lauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>It cannot be read: {reason}</source>
        <translation>Sie ist nicht lesbar: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>It has no working folder, and a run needs one.</source>
        <translation>Sie hat keinen Arbeitsordner, und ein Lauf braucht einen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Its last run did not finish. It counts as failed in a few minutes; until then no other run starts.</source>
        <translation>Der letzte Lauf kam zu keinem Ende. In einigen Minuten zählt er als fehlgeschlagen; bis dahin beginnt kein anderer Lauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Its last run is still open. {state}.</source>
        <translation>Ihr letzter Lauf ist noch offen. {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Its last run is still open. {state}. Until that is settled no other run starts.</source>
        <translation>Ihr letzter Lauf ist noch offen. {state}. Bis das erledigt ist, startet kein anderer Lauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Its runtime “{name}” is not known, so the run would fail at once.</source>
        <translation>Ihre Runtime „{name}“ ist nicht bekannt, der Lauf schlüge also sofort fehl.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>Its working folder {folder} is not there, so the run would fail at once.</source>
        <translation>Ihr Arbeitsordner {folder} ist nicht da, der Lauf schlüge also sofort fehl.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>One other run is going on. A run by hand never waits for a free place.</source>
        <translation>Ein anderer Lauf ist im Gang. Ein Lauf von Hand wartet nie auf einen freien Platz.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The command of its runtime “{name}” was not found, so the run may fail at once.</source>
        <translation>Der Befehl ihrer Runtime „{name}“ wurde nicht gefunden, der Lauf schlägt also vielleicht sofort fehl.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The routine is disabled, so it cannot be run.</source>
        <translation>Die Routine ist abgeschaltet und kann nicht laufen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The routine is not valid, so it cannot be run.</source>
        <translation>Die Routine ist ungültig und kann nicht laufen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The routine is paused. It runs once, now; its schedule stays paused.</source>
        <translation>Die Routine ist pausiert. Sie läuft einmal, jetzt; ihr Zeitplan bleibt pausiert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The routine is still a draft, so it cannot be run.</source>
        <translation>Die Routine ist noch ein Entwurf und kann nicht laufen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>The routine was deleted.</source>
        <translation>Die Routine wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/obstacles.py"/>
        <source>{count} other runs are going on. A run by hand never waits for a free place.</source>
        <translation>{count} andere Läufe sind im Gang. Ein Lauf von Hand wartet nie auf einen freien Platz.</translation>
    </message>
</context>
<context>
    <name>OutputEnds</name>
    <message>
        <location filename="../../coven_desktop/ui/output_ends.py"/>
        <source>Nothing was printed.</source>
        <translation>Nichts wurde ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_ends.py"/>
        <source>Nothing was started, so there is no output.</source>
        <translation>Nichts wurde gestartet, also gibt es keine Ausgabe.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_ends.py"/>
        <source>Reading the output…</source>
        <translation>Die Ausgabe wird gelesen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_ends.py"/>
        <source>The output cannot be read: {reason}</source>
        <translation>Die Ausgabe ist nicht lesbar: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_ends.py"/>
        <source>[… {count} more bytes are in the run's output …]</source>
        <translation>[… {count} weitere Bytes stehen in der Ausgabe des Laufs …]</translation>
    </message>
</context>
<context>
    <name>OutputSearch</name>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>Search the output</source>
        <translation>Ausgabe durchsuchen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>found once</source>
        <translation>einmal gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>found {count} times</source>
        <translation>{count}-mal gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_search.py"/>
        <source>{place} of {count}</source>
        <translation>{place} von {count}</translation>
    </message>
</context>
<context>
    <name>OutputText</name>
    <message>
        <location filename="../../coven_desktop/ui/output_text.py"/>
        <source>[… {count} bytes are not kept …]</source>
        <translation>[… {count} Bytes sind nicht aufgehoben …]</translation>
    </message>
</context>
<context>
    <name>OutputView</name>
    <message>
        <location filename="../../coven_desktop/ui/output_view.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_view.py"/>
        <source>[The output cannot be read: {reason}]
</source>
        <translation>[Die Ausgabe ist nicht lesbar: {reason}]
</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/output_view.py"/>
        <source>[… {count} characters before this are in the log and not shown here …]
</source>
        <translation>[… {count} Zeichen davor stehen im Protokoll und werden hier nicht gezeigt …]
</translation>
    </message>
</context>
<context>
    <name>PauseActs</name>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>For 1 hour</source>
        <translation>1 Stunde lang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>Pause &amp;all until…</source>
        <translation>Alles p&amp;ausieren bis…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>Resume ever&amp;ything</source>
        <translation>Alles &amp;fortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>Resume everything</source>
        <translation>Alles fortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>Until I resume</source>
        <translation>Bis ich fortsetze</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pause_acts.py"/>
        <source>Until {moment}</source>
        <translation>Bis {moment}</translation>
    </message>
</context>
<context>
    <name>Pausing</name>
    <message>
        <location filename="../../coven_desktop/ui/pausing.py"/>
        <source>Pause all</source>
        <translation>Alles pausieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/pausing.py"/>
        <source>Resume everything</source>
        <translation>Alles fortsetzen</translation>
    </message>
</context>
<context>
    <name>Policies</name>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>A run that fails pauses it (see the settings).</source>
        <translation>Ein Lauf, der fehlschlägt, pausiert sie (siehe Einstellungen).</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep at that time: it does not run, and a line says so.</source>
        <translation>Zu dieser Zeit im Ruhezustand: Sie läuft nicht, und eine Zeile sagt es.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep at that time: runs as soon as the computer is awake again.</source>
        <translation>Zu dieser Zeit im Ruhezustand: Sie läuft, sobald der Rechner wieder wach ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep over three of its times: none of them runs, and a line says that three were skipped.</source>
        <translation>Drei ihrer Zeiten im Ruhezustand: Keine davon läuft, und eine Zeile sagt, dass drei ausgelassen wurden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep over three of its times: only the latest of them runs, and its line says how many were missed.</source>
        <translation>Drei ihrer Zeiten im Ruhezustand: Nur die letzte davon läuft, und ihre Zeile sagt, wie viele verpasst wurden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep over three of its times: runs once, for the latest of them, then goes on as usual.</source>
        <translation>Drei ihrer Zeiten im Ruhezustand: Sie läuft einmal, für die letzte davon, und dann weiter wie sonst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep over three of its times: runs three times, the oldest first, one after another. What still waits can be stopped.</source>
        <translation>Drei ihrer Zeiten im Ruhezustand: Sie läuft dreimal, die älteste zuerst, eine nach der anderen. Was noch wartet, kann gestoppt werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Asleep over three of its times: the latest runs, the two before it are recorded as missed.</source>
        <translation>Drei ihrer Zeiten im Ruhezustand: Die letzte läuft, die beiden davor werden als verpasst vermerkt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Due while a run of it is not over: that time is skipped, and recorded.</source>
        <translation>Fällig, während ein Lauf von ihr nicht zu Ende ist: Diese Zeit wird ausgelassen und vermerkt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>However often it fails, it is not paused (see the settings).</source>
        <translation>Wie oft sie auch fehlschlägt, sie wird nicht pausiert (siehe Einstellungen).</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Missed times are skipped</source>
        <translation>Verpasste Zeiten werden ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Missed times: each of them runs</source>
        <translation>Verpasste Zeiten: Jede wird nachgeholt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>Missed times: one run for all of them</source>
        <translation>Verpasste Zeiten: ein Lauf für alle</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/policy_words.py"/>
        <source>{number} runs in a row that fail pause it (see the settings).</source>
        <translation>{number} Läufe nacheinander, die fehlschlagen, pausieren sie (siehe Einstellungen).</translation>
    </message>
</context>
<context>
    <name>Presence</name>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>Go on without a window</source>
        <translation>Ohne Fenster weiterlaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>Keep the window</source>
        <translation>Fenster behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>On GNOME the extension “AppIndicator and KStatusNotifierItem Support” shows them.</source>
        <translation>Unter GNOME zeigt sie die Erweiterung „AppIndicator and KStatusNotifierItem Support“.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>Quit, or go on without a window?</source>
        <translation>Beenden oder ohne Fenster weiterlaufen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>Should a tray appear, its icon comes by itself.</source>
        <translation>Kommt eine Leiste hinzu, erscheint das Symbol von selbst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>There is no tray icon here. Routines run only while Coven Desktop runs; without a window, start it again to see it.</source>
        <translation>Hier gibt es kein Symbol in der Leiste. Routinen laufen nur, solange Coven Desktop läuft; ohne Fenster starten Sie es noch einmal, um es zu sehen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/presence.py"/>
        <source>This desktop shows no tray icons, so Coven Desktop stays in this window.</source>
        <translation>Dieser Desktop zeigt keine Symbole in der Leiste, daher bleibt Coven Desktop in diesem Fenster.</translation>
    </message>
</context>
<context>
    <name>PreviewPane</name>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>All {count} runs</source>
        <translation>Alle {count} Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Comes twice</source>
        <translation>Kommt zweimal</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>For you</source>
        <translation>Für Sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>For you ({zone})</source>
        <translation>Für Sie ({zone})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>In {zone}</source>
        <translation>In {zone}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>It never runs.</source>
        <translation>Sie läuft nie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Moved</source>
        <translation>Verschoben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Moved: the month has no such day. It runs on its last day.</source>
        <translation>Verschoben: Der Monat hat diesen Tag nicht. Der Lauf ist am letzten Tag.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Next ten runs</source>
        <translation>Die nächsten zehn Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>No preview: {reason}</source>
        <translation>Keine Vorschau: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Skipped</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>The last</source>
        <translation>Der letzte</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>The only run</source>
        <translation>Der einzige Lauf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>This is the last run.</source>
        <translation>Das ist der letzte Lauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>Times before now: {moments}</source>
        <translation>Zeiten vor jetzt: {moments}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/preview_pane.py"/>
        <source>{what}, once it is active</source>
        <translation>{what}, sobald sie aktiv ist</translation>
    </message>
</context>
<context>
    <name>Questions</name>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>A routine is open that you changed and did not save. What you entered cannot be brought back.</source>
        <translation>Eine Routine ist offen, die Sie geändert und nicht gespeichert haben. Ihre Eingaben lassen sich nicht zurückholen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Cancel it</source>
        <translation>Absagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Cancel the retry of “{name}”?</source>
        <translation>Die Wiederholung von „{name}“ abbrechen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Cancel this run of “{name}”?</source>
        <translation>Diesen Lauf von „{name}“ absagen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Discard and quit</source>
        <translation>Verwerfen und beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Discard what you entered?</source>
        <translation>Eingaben verwerfen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Everything this run has started is told to end, and ended by force if it does not. It counts as stopped only when it is proven that nothing is left. Work it has half done stays half done.</source>
        <translation>Alles, was dieser Lauf gestartet hat, soll enden und wird beendet, wenn es nicht selbst endet. Als gestoppt gilt er erst, wenn bewiesen ist, dass nichts übrig ist. Halb getane Arbeit bleibt halb getan.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Give it up</source>
        <translation>Aufgeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Give up this run of “{name}”?</source>
        <translation>Diesen Lauf von „{name}“ aufgeben?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>It has not begun yet, and it will not begin.</source>
        <translation>Er hat noch nicht begonnen und wird nicht beginnen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>It is not saved, and it cannot be brought back.</source>
        <translation>Sie sind nicht gespeichert und lassen sich nicht zurückholen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Keep editing</source>
        <translation>Weiter bearbeiten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Keep it running</source>
        <translation>Weiterlaufen lassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Nothing of it is running. It is recorded as stopped, and its failed attempts stay as they are. Its routine was deleted.</source>
        <translation>Nichts davon läuft. Er wird als gestoppt aufgezeichnet, und seine fehlgeschlagenen Versuche bleiben, wie sie sind. Seine Routine wurde gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Nothing of it is running. It is recorded as stopped, its failed attempts stay as they are, and it cannot be retried any more. The routine goes on with its schedule.</source>
        <translation>Nichts davon läuft. Er wird als gestoppt aufgezeichnet, seine fehlgeschlagenen Versuche bleiben, wie sie sind, und er kann nicht mehr wiederholt werden. Die Routine geht nach ihrem Zeitplan weiter.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Nothing of it is running. The run ends as stopped.</source>
        <translation>Nichts davon läuft. Der Lauf endet als gestoppt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>One run is going on.</source>
        <translation>Ein Lauf ist im Gang.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Quit Coven Desktop?</source>
        <translation>Coven Desktop beenden?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Quit, let them run</source>
        <translation>Beenden, Läufe weiterlaufen lassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Runs go on without the app until you log out; at the next start it meets them again and records how they ended. Nothing new starts while the app is not running.</source>
        <translation>Läufe gehen ohne die App weiter, bis Sie sich abmelden; beim nächsten Start findet sie sie wieder und zeichnet auf, wie sie endeten. Neues startet nicht, solange die App nicht läuft.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Stop it</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Stop them, then quit</source>
        <translation>Stoppen, dann beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>Stop “{name}”?</source>
        <translation>„{name}“ stoppen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>The question</source>
        <translation>Die Frage</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>The routine goes on with its schedule.</source>
        <translation>Die Routine geht nach ihrem Zeitplan weiter.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>{n} routines are open that you changed and did not save. What you entered cannot be brought back.</source>
        <translation>{n} Routinen sind offen, die Sie geändert und nicht gespeichert haben. Ihre Eingaben lassen sich nicht zurückholen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/questions.py"/>
        <source>{n} runs are going on.</source>
        <translation>{n} Läufe sind im Gang.</translation>
    </message>
</context>
<context>
    <name>ReadMe</name>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/about.py"/>
        <source>Read me</source>
        <translation>Lies mich</translation>
    </message>
</context>
<context>
    <name>Refusals</name>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>A stop of this run has no outcome yet. Wait for it, then ask again.</source>
        <translation>Ein Stopp dieses Laufs hat noch kein Ergebnis. Warten Sie darauf, dann fragen Sie noch einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>Another attempt was made meanwhile. Look at the run again.</source>
        <translation>Inzwischen gab es einen weiteren Versuch. Sehen Sie den Lauf noch einmal an.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>Another run of this routine is still open, and only one may be at a time.</source>
        <translation>Ein anderer Lauf dieser Routine ist noch offen, und nur einer darf es sein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>How its last attempt ended is not known. Decide that first.</source>
        <translation>Wie sein letzter Versuch endete, ist nicht bekannt. Entscheiden Sie zuerst das.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>It had ended by itself before the stop reached it.</source>
        <translation>Er war schon von selbst zu Ende, ehe der Stopp ihn erreichte.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>It is not in the database any more.</source>
        <translation>Er ist nicht mehr in der Datenbank.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>It was changed elsewhere meanwhile. Look at it again.</source>
        <translation>Inzwischen wurde anderswo etwas geändert. Sehen Sie noch einmal nach.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>Its deadline has passed, so nothing of it is tried again.</source>
        <translation>Seine Frist ist abgelaufen, also wird nichts davon noch einmal versucht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>The routine has no working folder. Give it one first.</source>
        <translation>Die Routine hat keinen Arbeitsordner. Geben Sie ihr zuerst einen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>The routine is quarantined: nothing of it starts until you release it.</source>
        <translation>Die Routine ist in Quarantäne: Nichts davon startet, bis Sie sie freigeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>The routine was deleted meanwhile.</source>
        <translation>Die Routine wurde inzwischen gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/refusals.py"/>
        <source>The run needs an authority that this app does not have.</source>
        <translation>Der Lauf braucht eine Befugnis, die diese App nicht hat.</translation>
    </message>
</context>
<context>
    <name>ReleaseDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>&amp;Release</source>
        <translation>&amp;Freigeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Because</source>
        <translation>Weil</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>If you release it:</source>
        <translation>Wenn Sie sie freigeben:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>It was released elsewhere meanwhile: it is not in quarantine any more.</source>
        <translation>Sie wurde inzwischen anderswo freigegeben: Sie ist nicht mehr in Quarantäne.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Its last failed runs</source>
        <translation>Ihre letzten fehlgeschlagenen Läufe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Not &amp;yet</source>
        <translation>Noch &amp;nicht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Release “{name}”?</source>
        <translation>„{name}“ freigeben?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>The release is being asked for.</source>
        <translation>Die Freigabe wird veranlasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>The routine was deleted meanwhile.</source>
        <translation>Die Routine wurde inzwischen gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>What follows from the release</source>
        <translation>Was aus der Freigabe folgt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>Why it is quarantined</source>
        <translation>Warum sie in Quarantäne ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>at its last attempt it {what}</source>
        <translation>beim letzten Versuch: {what}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>its attempts were used up once</source>
        <translation>ihre Versuche waren einmal aufgebraucht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>its attempts were used up {n} times in a row</source>
        <translation>ihre Versuche waren {n}-mal nacheinander aufgebraucht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>{time}, {relative}</source>
        <translation>{time}, {relative}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– If the cause is still there, its next run fails the same way and it is quarantined again.</source>
        <translation>– Besteht die Ursache noch, schlägt der nächste Lauf ebenso fehl, und sie kommt wieder in Quarantäne.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– It is not active, so nothing is due.</source>
        <translation>– Sie ist nicht aktiv, also ist nichts fällig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– It stays disabled, so nothing is due.</source>
        <translation>– Sie bleibt deaktiviert, also ist nichts fällig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– It stays paused, so nothing is due.</source>
        <translation>– Sie bleibt pausiert, also ist nichts fällig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– Its last run: {state}. It can then be retried; until that is settled no other run starts.</source>
        <translation>– Ihr letzter Lauf: {state}. Er kann dann wiederholt werden; bis das erledigt ist, startet kein anderer.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– Its next run is due {time} ({relative}).</source>
        <translation>– Ihr nächster Lauf ist fällig {time} ({relative}).</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– Its run goes on: {state}.</source>
        <translation>– Ihr Lauf geht weiter: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– The run of {time}, which came due meanwhile, is planned at once.</source>
        <translation>– Der Lauf von {time}, der inzwischen fällig wurde, wird sofort geplant.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>– What else came due in the quarantine is left out and does not count as missed.</source>
        <translation>– Was in der Quarantäne sonst fällig wurde, entfällt und gilt nicht als verpasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/release_dialog.py"/>
        <source>“{name}” is quarantined: nothing of it is started</source>
        <translation>„{name}“ ist in Quarantäne: Nichts davon wird gestartet</translation>
    </message>
</context>
<context>
    <name>RetryDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>&amp;Give up…</source>
        <translation>&amp;Aufgeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>&amp;Note (kept with the attempt)</source>
        <translation>&amp;Notiz (wird beim Versuch aufgehoben)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>&amp;Retry now</source>
        <translation>&amp;Jetzt wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>A retry is</source>
        <translation>Eine Wiederholung ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>A retry runs the routine as it was when this run began, in the same folder. What the failed attempt has already done is not undone. Until the retry, the deadline or your giving up, no other run of this routine starts. It cannot be recorded as succeeded, as only the end of a run itself proves that; if its work is done all the same, give it up.</source>
        <translation>Eine Wiederholung führt die Routine aus, wie sie war, als dieser Lauf begann, im selben Ordner. Was der fehlgeschlagene Versuch schon getan hat, wird nicht zurückgenommen. Bis zur Wiederholung, zur Frist oder bis Sie aufgeben, startet kein anderer Lauf dieser Routine. Als erfolgreich kann er nicht verzeichnet werden, denn das beweist nur das Ende eines Laufs selbst; ist seine Arbeit trotzdem getan, geben Sie ihn auf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Beginning and end of its output</source>
        <translation>Anfang und Ende seiner Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Decide &amp;later</source>
        <translation>&amp;Später entscheiden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Give up this run of “{name}”?</source>
        <translation>Diesen Lauf von „{name}“ aufgeben?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>It is not held any more. It is now: {state}.</source>
        <translation>Er wird nicht mehr zurückgehalten. Jetzt gilt: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Retry is off: {why}</source>
        <translation>Eine Wiederholung ist nicht möglich: {why}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Retry “{name}”?</source>
        <translation>„{name}“ wiederholen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>The note is too long to be kept.</source>
        <translation>Die Notiz ist zu lang, um aufgehoben zu werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>The retry is being asked for.</source>
        <translation>Die Wiederholung wird veranlasst.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>This run of “{name}” failed and is held for your retry</source>
        <translation>Dieser Lauf von „{name}“ ist fehlgeschlagen und wartet auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>This run of “{name}” failed, and its routine was deleted</source>
        <translation>Dieser Lauf von „{name}“ ist fehlgeschlagen, und seine Routine wurde gelöscht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Time left</source>
        <translation>Verbleibende Zeit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Time left, and what a retry is</source>
        <translation>Verbleibende Zeit, und was eine Wiederholung ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>What follows</source>
        <translation>Was folgt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>What you changed, or why, if you like</source>
        <translation>Was Sie geändert haben, oder warum, wenn Sie mögen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>Why the retry is off</source>
        <translation>Warum eine Wiederholung nicht möglich ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>attempt {number} of {all}</source>
        <translation>Versuch {number} von {all}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>attempt {number}; a run has {most} at most</source>
        <translation>Versuch {number}; ein Lauf hat höchstens {most}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_dialog.py"/>
        <source>{left}, until {time}. A retry does not extend it.</source>
        <translation>{left}, bis {time}. Eine Wiederholung verlängert das nicht.</translation>
    </message>
</context>
<context>
    <name>RetryEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source> attempts</source>
        <translation> Versuche</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>Attempts at most</source>
        <translation>Höchstzahl der Versuche</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>No second attempt</source>
        <translation>Kein zweiter Versuch</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>Only after a run that</source>
        <translation>Nur nach einem Lauf, der</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>Pause between attempts</source>
        <translation>Pause zwischen den Versuchen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>Seconds of pause</source>
        <translation>Sekunden Pause</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>after a fixed pause</source>
        <translation>nach fester Pause</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>after a growing pause</source>
        <translation>nach wachsender Pause</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>up to </source>
        <translation>bis zu </translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/retry_editor.py"/>
        <source>without a pause</source>
        <translation>ohne Pause</translation>
    </message>
</context>
<context>
    <name>Rooms</name>
    <message>
        <location filename="../../coven_desktop/ui/rooms.py"/>
        <source>Se&amp;ttings…</source>
        <translation>Einstellun&amp;gen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rooms.py"/>
        <source>Settings, doctor and data</source>
        <translation>Einstellungen, Diagnose und Daten</translation>
    </message>
</context>
<context>
    <name>RoutineFields</name>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source> minutes</source>
        <translation> Minuten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Environment</source>
        <translation>&amp;Umgebung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Id</source>
        <translation>&amp;Kennung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Output</source>
        <translation>Ausga&amp;be</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Prompt</source>
        <translation>&amp;Prompt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Runtime</source>
        <translation>&amp;Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Tags</source>
        <translation>Stich&amp;wörter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>&amp;Working folder</source>
        <translation>Arbeits&amp;ordner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>A run that takes longer is stopped.</source>
        <translation>Ein Lauf, der länger dauert, wird gestoppt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Acti&amp;ve: runs on its schedule</source>
        <translation>&amp;Aktiv: läuft nach Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Choose the working folder</source>
        <translation>Arbeitsordner wählen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Daily notes</source>
        <translation>Tägliche Notizen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Each reaches the command as an environment variable of its name.</source>
        <translation>Jedes erreicht den Befehl als Umgebungsvariable seines Namens.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Empty: the runtime's own choice.</source>
        <translation>Leer: was die Runtime wählt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>More: model, tags, environment, secrets, retry, id</source>
        <translation>Mehr: Modell, Umgebung, Geheimnisse, Wiederholen …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>No secret is kept yet. Secrets are kept in Settings and chosen here by name.</source>
        <translation>Noch ist kein Geheimnis hinterlegt. Geheimnisse werden in den Einstellungen hinterlegt und hier nach Namen gewählt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>One variable a line: NAME=value.</source>
        <translation>Eine Variable je Zeile: NAME=Wert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Sche&amp;dule</source>
        <translation>Z&amp;eitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Se&amp;crets</source>
        <translation>&amp;Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Separated by commas.</source>
        <translation>Durch Kommas getrennt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Stop &amp;after</source>
        <translation>S&amp;toppen nach</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Stop after</source>
        <translation>Stoppen nach</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Tags</source>
        <translation>Stichwörter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>The folder in which the command starts. It must be there when a run begins.</source>
        <translation>Der Ordner, in dem der Befehl startet. Er muss da sein, wenn ein Lauf beginnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>The name in the socket API; it never changes.</source>
        <translation>Der Name in der Socket-API; er ändert sich nie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>This routine also holds, kept as it is: {names}.</source>
        <translation>Diese Routine enthält außerdem, unverändert: {names}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Time &amp;zone</source>
        <translation>Zeit&amp;zone</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Time zone</source>
        <translation>Zeitzone</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Tr&amp;y again</source>
        <translation>W&amp;iederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Try again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>What the command is given to do. For the runtime “shell” it is a script.</source>
        <translation>Was der Befehl zu tun bekommt. Für die Runtime „shell“ ist es ein Skript.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_fields.py"/>
        <source>Working folder</source>
        <translation>Arbeitsordner</translation>
    </message>
</context>
<context>
    <name>RoutineForm</name>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/draft.py"/>
        <source>A routine with this id exists or existed.</source>
        <translation>Eine Routine mit dieser Kennung gibt oder gab es schon.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Choose one of those that were found.</source>
        <translation>Wählen Sie einen der gefundenen aus.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Compare…</source>
        <translation>Vergleichen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Edit “{name}”</source>
        <translation>„{name}“ bearbeiten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>It was changed elsewhere meanwhile: {names}. What you entered is still here.</source>
        <translation>Sie wurde inzwischen anderswo geändert: {names}. Ihre Eingaben sind noch da.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>It was changed elsewhere; this is revision {number}.</source>
        <translation>Sie wurde anderswo geändert; das ist Fassung {number}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Its environment or secrets were changed elsewhere meanwhile. What you entered is still here.</source>
        <translation>Umgebung oder Geheimnisse wurden inzwischen anderswo geändert. Ihre Eingaben sind noch da.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>Its history is not that of a Coven rule. Duplicate it, and make the copy one.</source>
        <translation>Ihr Verlauf ist nicht der einer Coven-Regel. Duplizieren Sie sie und machen Sie die Kopie zu einer.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Keep as new</source>
        <translation>Als neue behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>New routine</source>
        <translation>Neue Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Not saved: {reason}</source>
        <translation>Nicht gespeichert: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>Other programs know this routine by its Coven rule. Duplicate it, and change the copy.</source>
        <translation>Andere Programme kennen diese Routine mit ihrer Coven-Regel. Duplizieren Sie sie und ändern Sie die Kopie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>Save (Ctrl+S)</source>
        <translation>Speichern (Strg+S)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Save is off: {reason}</source>
        <translation>Speichern ist nicht möglich: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Saving changes what its next runs are given</source>
        <translation>Speichern ändert, was die nächsten Läufe bekommen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Saving makes revision {number}</source>
        <translation>Mit dem Speichern entsteht Fassung {number}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Saving…</source>
        <translation>Wird gespeichert…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>The copy holds what this form shows. It leaves out, of the routine it is made of: {names}.</source>
        <translation>Die Kopie enthält, was dieses Formular zeigt. Von ihrer Vorlage lässt sie weg: {names}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>The routine is saved, but not its environment and secrets: {reason}</source>
        <translation>Die Routine ist gespeichert, aber nicht ihre Umgebung und Geheimnisse: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/draft.py"/>
        <source>The working folder must be an absolute path.</source>
        <translation>Der Arbeitsordner muss ein absoluter Pfad sein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>There is no such folder now: until there is, runs are refused.</source>
        <translation>Diesen Ordner gibt es jetzt nicht: Bis es ihn gibt, werden Läufe abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>This is what you had entered when Coven Desktop was ended. It is not saved yet.</source>
        <translation>Das hatten Sie eingegeben, als Coven Desktop beendet wurde. Es ist noch nicht gespeichert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>This routine was deleted meanwhile. What is here can be kept as a new one.</source>
        <translation>Diese Routine wurde inzwischen gelöscht. Was hier steht, kann als neue behalten werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/form_frame.py"/>
        <source>Why Save is off</source>
        <translation>Warum Speichern nicht möglich ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>Without a folder, Run now is refused.</source>
        <translation>Ohne Ordner wird „Jetzt ausführen“ abgelehnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/draft.py"/>
        <source>`~` is not expanded when a run starts: write the whole path.</source>
        <translation>„~“ wird beim Start eines Laufs nicht ersetzt: Schreiben Sie den ganzen Pfad.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>nothing is changed</source>
        <translation>nichts ist geändert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>secrets that its definition names ({names})</source>
        <translation>Geheimnisse, die ihre Definition nennt ({names})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_form.py"/>
        <source>the routine is disabled, and must be enabled before it can be changed</source>
        <translation>die Routine ist abgeschaltet und muss eingeschaltet werden, ehe sie geändert werden kann</translation>
    </message>
</context>
<context>
    <name>RoutinePanel</name>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>All occurrences</source>
        <translation>Alle Termine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>At most {minutes} minutes</source>
        <translation>Höchstens {minutes} Minuten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Close the routine's page</source>
        <translation>Seite der Routine schließen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Close the routine's page (Esc)</source>
        <translation>Seite der Routine schließen (Esc)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Folder: {path}</source>
        <translation>Ordner: {path}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>How long it took</source>
        <translation>Wie lange es dauerte</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Last results</source>
        <translation>Letzte Ergebnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Next, in your time</source>
        <translation>Nächste Läufe, in Ihrer Zeit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Not run yet</source>
        <translation>Noch nicht gelaufen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Page of the routine</source>
        <translation>Seite der Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Revision {number}, id {id}</source>
        <translation>Fassung {number}, Kennung {id}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Runtime: {name}</source>
        <translation>Runtime: {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Show this run: {text}</source>
        <translation>Diesen Lauf zeigen: {text}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>Tags: {names}</source>
        <translation>Stichwörter: {names}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>The next step</source>
        <translation>Der nächste Schritt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>What it is told</source>
        <translation>Was sie zu tun bekommt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/routine_panel.py"/>
        <source>{outcome}, {time}</source>
        <translation>{outcome}, {time}</translation>
    </message>
</context>
<context>
    <name>RowActs</name>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>&amp;Decide…</source>
        <translation>&amp;Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>&amp;Pause</source>
        <translation>&amp;Pausieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>&amp;Run now</source>
        <translation>&amp;Jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>&amp;Stop…</source>
        <translation>&amp;Stoppen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>1 of the selected rows was left as it is: {why}.</source>
        <translation>1 der ausgewählten Zeilen blieb, wie sie ist: {why}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Attempts, timing and output of this run</source>
        <translation>Versuche, Zeiten und Ausgabe dieses Laufs</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Change the selected routine</source>
        <translation>Die ausgewählte Routine ändern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>D&amp;uplicate…</source>
        <translation>&amp;Duplizieren…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>De&amp;lete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Delete the selected routines</source>
        <translation>Die ausgewählten Routinen löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Its next step is to give it up.</source>
        <translation>Sein nächster Schritt ist, ihn aufzugeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Make a new routine like this one</source>
        <translation>Eine neue Routine wie diese anlegen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Nothing here waits for you.</source>
        <translation>Nichts wartet hier auf Sie.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Only the first {number} rows were taken; do the same again for the others.</source>
        <translation>Nur die ersten {number} Zeilen wurden genommen; tun Sie für die anderen dasselbe noch einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Pause or resume the schedule</source>
        <translation>Den Zeitplan pausieren oder fortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Resum&amp;e</source>
        <translation>F&amp;ortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Run now with a no&amp;te…</source>
        <translation>Jetzt mit Noti&amp;z ausführen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Run the selected routine now, with a note; says what stands in its way</source>
        <translation>Die ausgewählte Routine jetzt mit einer Notiz ausführen; sagt, was im Weg steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Run the selected routines now</source>
        <translation>Die ausgewählten Routinen jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Select a routine.</source>
        <translation>Wählen Sie eine Routine aus.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Select a run.</source>
        <translation>Wählen Sie einen Lauf aus.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Select one routine.</source>
        <translation>Wählen Sie eine Routine aus.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Select one run.</source>
        <translation>Wählen Sie einen Lauf aus.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Show &amp;output</source>
        <translation>&amp;Ausgabe zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Show its &amp;occurrences</source>
        <translation>Ihre &amp;Termine zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Show its pa&amp;ge</source>
        <translation>Ihre Se&amp;ite zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>Stop the selected runs</source>
        <translation>Die ausgewählten Läufe stoppen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>The next step of the row: what it waits for</source>
        <translation>Der nächste Schritt der Zeile: worauf sie wartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>What is to come of it, and what has been</source>
        <translation>Was von ihr kommt und was war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>What this routine has done</source>
        <translation>Was diese Routine getan hat</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>deleted already</source>
        <translation>schon gelöscht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>neither active nor paused</source>
        <translation>weder aktiv noch pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>not active</source>
        <translation>nicht aktiv</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/row_acts.py"/>
        <source>{number} of the selected rows were left as they are: {why}.</source>
        <translation>{number} der ausgewählten Zeilen blieben, wie sie sind: {why}.</translation>
    </message>
</context>
<context>
    <name>RruleEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>As te&amp;xt</source>
        <translation>Als Te&amp;xt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>At these hours</source>
        <translation>Zu diesen Stunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Every day</source>
        <translation>Jeden Tag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Friday</source>
        <translation>Freitag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>How often</source>
        <translation>Wie oft</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Monday</source>
        <translation>Montag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>On certain days of the week</source>
        <translation>An bestimmten Wochentagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Rule text</source>
        <translation>Text der Regel</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Saturday</source>
        <translation>Samstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Sunday</source>
        <translation>Sonntag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>The rule as it is stored: FREQ=DAILY or FREQ=WEEKLY, BYHOUR with hours from 0 to 23, and for weeks BYDAY with MO, TU, WE, TH, FR, SA, SU.</source>
        <translation>Die Regel, wie sie gespeichert wird: FREQ=DAILY oder FREQ=WEEKLY, BYHOUR mit Stunden von 0 bis 23 und für Wochen BYDAY mit MO, TU, WE, TH, FR, SA, SU.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Thursday</source>
        <translation>Donnerstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Tuesday</source>
        <translation>Dienstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/rrule_editor.py"/>
        <source>Wednesday</source>
        <translation>Mittwoch</translation>
    </message>
</context>
<context>
    <name>RunNowDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Decide…</source>
        <translation>&amp;Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Note (kept with the run)</source>
        <translation>&amp;Notiz (wird beim Lauf aufgehoben)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Run it once</source>
        <translation>&amp;Einmal ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Run now</source>
        <translation>&amp;Jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>&amp;Show it</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>It is being started.</source>
        <translation>Der Lauf wird gestartet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>No note</source>
        <translation>Keine Notiz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Nothing in the way</source>
        <translation>Nichts im Weg</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Nothing stands in the way: it starts at once.</source>
        <translation>Nichts steht im Weg: Der Lauf startet sofort.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Re&amp;lease…</source>
        <translation>&amp;Freigeben…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Re&amp;try…</source>
        <translation>&amp;Wiederholen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Run “{name}” now</source>
        <translation>„{name}“ jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Run “{name}” now?</source>
        <translation>„{name}“ jetzt ausführen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>The note is too long to be kept.</source>
        <translation>Die Notiz ist zu lang, um aufgehoben zu werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>The run of a paused routine takes no note.</source>
        <translation>Der Lauf einer pausierten Routine nimmt keine Notiz an.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>What is said above stands in the way.</source>
        <translation>Was oben steht, ist im Weg.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>What stands in the way</source>
        <translation>Was im Weg steht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_now_dialog.py"/>
        <source>Why you run it now, if you like</source>
        <translation>Warum Sie sie jetzt ausführen, wenn Sie mögen</translation>
    </message>
</context>
<context>
    <name>RunWindow</name>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>&amp;Decide…</source>
        <translation>&amp;Entscheiden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>&amp;Follow</source>
        <translation>&amp;Folgen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>&amp;Open folder</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>&amp;Retry…</source>
        <translation>&amp;Wiederholen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>&amp;Stop…</source>
        <translation>&amp;Stoppen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>All output</source>
        <translation>Ganze Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Cop&amp;y diagnostics</source>
        <translation>Diagnose &amp;kopieren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Due</source>
        <translation>Fällig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Error output alone</source>
        <translation>Nur Fehlerausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Error output is slanted</source>
        <translation>Fehlerausgabe steht schräg</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>How</source>
        <translation>Wie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>How much output is shown</source>
        <translation>Wie viel Ausgabe gezeigt wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Ids, times, exits and versions as text; no output, prompt or environment</source>
        <translation>Kennungen, Zeiten, Exits und Versionen als Text; keine Ausgabe, kein Prompt, keine Umgebung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>It can be retried until its deadline, {left}.</source>
        <translation>Er kann bis zu seiner Frist wiederholt werden, {left}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Keep the newest output in view</source>
        <translation>Die neueste Ausgabe im Blick behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Nothing printed yet.</source>
        <translation>Noch wurde nichts ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Nothing was printed.</source>
        <translation>Nichts wurde ausgegeben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Nothing was started yet, so there is no output.</source>
        <translation>Noch wurde nichts gestartet, also gibt es keine Ausgabe.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Standard output alone</source>
        <translation>Nur Standardausgabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>The newest {count} lines at most; more is in the log</source>
        <translation>Höchstens die neuesten {count} Zeilen; mehr steht im Protokoll</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>This run is not in the database any more.</source>
        <translation>Dieser Lauf ist nicht mehr in der Datenbank.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>Which output is shown</source>
        <translation>Welche Ausgabe gezeigt wird</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>While it is held, no other run of this routine starts.</source>
        <translation>Solange er wartet, startet kein anderer Lauf dieser Routine.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>exit {code}</source>
        <translation>Exit {code}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>on schedule</source>
        <translation>nach Zeitplan</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>{count} lines</source>
        <translation>{count} Zeilen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/run_window.py"/>
        <source>{name}: run of {time}</source>
        <translation>{name}: Lauf von {time}</translation>
    </message>
</context>
<context>
    <name>RuntimeEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>A quote is not closed.</source>
        <translation>Ein Anführungszeichen ist nicht geschlossen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Added when the routine names one.</source>
        <translation>Kommt hinzu, wenn die Routine eines nennt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>From a stop to its end by force.</source>
        <translation>Vom Stopp bis zum erzwungenen Ende.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>NAME=value, one a line.</source>
        <translation>NAME=Wert, einer je Zeile.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Names from the Secrets page, with spaces between.</source>
        <translation>Namen von der Seite „Geheimnisse“, mit Leerzeichen dazwischen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>New runtime</source>
        <translation>Neue Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Quote words with spaces as in a shell. {prompt_file}, {prompt}, {cwd} and {model} are filled in.</source>
        <translation>Wörter mit Leerzeichen in Anführungszeichen, wie in einer Shell. {prompt_file}, {prompt}, {cwd} und {model} werden eingesetzt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Runtime “{name}”</source>
        <translation>Runtime „{name}“</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>The prompt comes</source>
        <translation>Der Prompt kommt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>The runtime</source>
        <translation>Die Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Time to end</source>
        <translation>Zeit zum Enden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>Variables</source>
        <translation>Variablen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>With a model</source>
        <translation>Mit einem Modell</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>as an argument, {prompt}</source>
        <translation>als Argument, {prompt}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>as the command line says</source>
        <translation>wie die Befehlszeile es sagt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>in a file, {prompt_file}</source>
        <translation>in einer Datei, {prompt_file}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>on its standard input</source>
        <translation>als Standardeingabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtime_editor.py"/>
        <source>“{line}” is no NAME=value.</source>
        <translation>„{line}“ ist kein NAME=Wert.</translation>
    </message>
</context>
<context>
    <name>RuntimePicker</name>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Ask the command for its version, as a run would start it. It does no work.</source>
        <translation>Den Befehl nach seiner Version fragen, so wie ein Lauf ihn starten würde. Gearbeitet wird nicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>It works: {command} answered.</source>
        <translation>Es geht: {command} hat geantwortet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Its command is there. It was not started: what it would do is not known.</source>
        <translation>Der Befehl ist da. Er wurde nicht gestartet: Was er täte, ist nicht bekannt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Its command was not found.</source>
        <translation>Der Befehl wurde nicht gefunden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Its runs will be refused: {problem}</source>
        <translation>Ihre Läufe werden abgelehnt: {problem}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>No runtime of this name is known any more.</source>
        <translation>Eine Runtime dieses Namens ist nicht mehr bekannt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>No runtime of this name is known: its runs will be refused. Choose another, or add it to runtimes.toml.</source>
        <translation>Eine Runtime dieses Namens ist nicht bekannt: Ihre Läufe werden abgelehnt. Wählen Sie eine andere oder tragen Sie sie in runtimes.toml ein.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Runs {command}, with the prompt as an argument.</source>
        <translation>Führt {command} aus, mit dem Prompt als Argument.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Runs {command}, with the prompt as its input.</source>
        <translation>Führt {command} aus, mit dem Prompt als Eingabe.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Runs {command}, with the prompt in a file.</source>
        <translation>Führt {command} aus, mit dem Prompt in einer Datei.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Runtime</source>
        <translation>Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>Testing…</source>
        <translation>Wird getestet…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>The command of “{name}” was not found on this machine: give its whole path in runtimes.toml. Until then its runs fail and are tried again as the routine says.</source>
        <translation>Der Befehl von „{name}“ wurde auf diesem Rechner nicht gefunden: Geben Sie in runtimes.toml seinen ganzen Pfad an. Bis dahin schlagen ihre Läufe fehl und werden wiederholt, wie die Routine es sagt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>The command of “{name}” was not found on this machine: install it, so that a terminal finds it too. Until then its runs fail and are tried again as the routine says.</source>
        <translation>Der Befehl von „{name}“ wurde auf diesem Rechner nicht gefunden: Installieren Sie ihn so, dass auch ein Terminal ihn findet. Bis dahin schlagen ihre Läufe fehl und werden wiederholt, wie die Routine es sagt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>The command that does the work. Those built in are shell, coven-code, claude, codex and copilot; your own are in runtimes.toml.</source>
        <translation>Der Befehl, der die Arbeit tut. Eingebaut sind shell, coven-code, claude, codex und copilot; Ihre eigenen stehen in runtimes.toml.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>What the test printed</source>
        <translation>Was der Test ausgab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>{command} could not be started.</source>
        <translation>{command} ließ sich nicht starten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>{command} did not answer in time and was ended.</source>
        <translation>{command} antwortete nicht rechtzeitig und wurde beendet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/runtime_picker.py"/>
        <source>{command} ended with code {code}.</source>
        <translation>{command} endete mit Code {code}.</translation>
    </message>
</context>
<context>
    <name>RuntimesPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>&amp;Add…</source>
        <translation>&amp;Hinzufügen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>&amp;Edit…</source>
        <translation>&amp;Bearbeiten…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>&amp;Look again</source>
        <translation>&amp;Neu suchen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>&amp;Remove…</source>
        <translation>&amp;Entfernen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>A runtime is the command that a routine's prompt goes to. Found here are those of your login shell.</source>
        <translation>Eine Runtime ist der Befehl, an den der Prompt einer Routine geht. Hier stehen die, die Ihre Login-Shell kennt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Add a command of your own</source>
        <translation>Einen eigenen Befehl hinzufügen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Ask the login shell anew</source>
        <translation>Die Login-Shell noch einmal fragen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Ask the selected command whether it works</source>
        <translation>Den ausgewählten Befehl fragen, ob er geht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Asking your login shell; this takes 5 seconds at most…</source>
        <translation>Ihre Login-Shell wird gefragt; das dauert höchstens 5 Sekunden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Change the selected runtime of your own</source>
        <translation>Die ausgewählte eigene Runtime ändern</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>It leaves runtimes.toml. Routines that name it cannot run until they name another one.</source>
        <translation>Sie verschwindet aus runtimes.toml. Routinen, die sie nennen, können nicht laufen, bis sie eine andere nennen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Remove it</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Remove the runtime “{name}”?</source>
        <translation>Die Runtime „{name}“ entfernen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Remove the selected runtime of your own</source>
        <translation>Die ausgewählte eigene Runtime entfernen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Run it with --version</source>
        <translation>Mit --version ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Runtimes</source>
        <translation>Runtimes</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>Testing “{name}”; this takes 15 seconds at most…</source>
        <translation>„{name}“ wird getestet; das dauert höchstens 15 Sekunden…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>The command of “{name}” is there. It was not started: what it does is not known here.</source>
        <translation>Der Befehl von „{name}“ ist da. Er wurde nicht gestartet: Was er tut, ist hier nicht bekannt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>The command of “{name}” was not found. Install it, then look again.</source>
        <translation>Der Befehl von „{name}“ wurde nicht gefunden. Installieren Sie ihn, dann suchen Sie neu.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>The login shell was asked anew.</source>
        <translation>Die Login-Shell wurde neu gefragt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>There is no runtime “{name}” any more.</source>
        <translation>Eine Runtime „{name}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>What it names there is not known until it is mended; the others work.</source>
        <translation>Was dort benannt ist, bleibt unbekannt, bis es in Ordnung gebracht ist; die anderen funktionieren.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>What it starts</source>
        <translation>Was sie startet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>What the command printed</source>
        <translation>Was der Befehl ausgab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>found, your own</source>
        <translation>gefunden, Ihre eigene</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>wrong in runtimes.toml</source>
        <translation>fehlerhaft in runtimes.toml</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>“{name}” could not be started.</source>
        <translation>„{name}“ ließ sich nicht starten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>“{name}” ended with code {code}.</source>
        <translation>„{name}“ endete mit Code {code}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>“{name}” gave no answer in time and was ended.</source>
        <translation>„{name}“ antwortete nicht rechtzeitig und wurde beendet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>“{name}” is saved. Test it here.</source>
        <translation>„{name}“ ist gespeichert. Hier können Sie sie testen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/runtimes_page.py"/>
        <source>“{name}” works.</source>
        <translation>„{name}“ geht.</translation>
    </message>
</context>
<context>
    <name>ScheduleEditor</name>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>A line of five fields, as in a crontab.</source>
        <translation>Eine Zeile aus fünf Feldern, wie in einer Crontab.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>Cadence</source>
        <translation>Takt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>Coven rule</source>
        <translation>Coven-Regel</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>Cron</source>
        <translation>Cron</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>Every day or on days of the week, at full hours. Other programs know these routines.</source>
        <translation>Jeden Tag oder an Wochentagen, zu vollen Stunden. Andere Programme kennen diese Routinen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>From every minute to once a year, from a moment on, also with an end; or once.</source>
        <translation>Von jeder Minute bis einmal im Jahr, von einem Zeitpunkt an, auch mit einem Ende; oder einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/schedule_editor.py"/>
        <source>Nothing is lost until you save: switch back, and what you entered is there.</source>
        <translation>Nichts geht verloren, bevor Sie speichern: Schalten Sie zurück, und Ihre Eingaben sind da.</translation>
    </message>
</context>
<context>
    <name>Schedules</name>
    <message>
        <location filename="../../coven_desktop/schedule/explaining.py"/>
        <source>A time that clocks skip does not run; one that comes twice runs the first time.</source>
        <translation>Eine Zeit, die die Uhren überspringen, läuft nicht; eine doppelte läuft das erste Mal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>A time that clocks skip runs at the moment they go forward; one that comes twice runs the first time.</source>
        <translation>Eine Zeit, die die Uhren überspringen, läuft in dem Moment, in dem sie vorgehen; eine doppelte läuft das erste Mal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>April</source>
        <translation>April</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>August</source>
        <translation>August</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cron_words.py"/>
        <source>Both day fields must match: it runs only on days that are given by both, because one of the fields starts with *.</source>
        <translation>Beide Tagesfelder müssen zutreffen: Sie läuft nur an Tagen, die beide nennen, da eines der Felder mit * beginnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>December</source>
        <translation>Dezember</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cron_words.py"/>
        <source>Either day field is enough: it runs on the given days of the month, and on the given weekdays as well, because neither field starts with *.</source>
        <translation>Ein Tagesfeld genügt: Sie läuft an den genannten Tagen des Monats und auch an den genannten Wochentagen, da keines der Felder mit * beginnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>Every day</source>
        <translation>Jeden Tag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every day at {time}</source>
        <translation>Jeden Tag um {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every hour at minute {minute}</source>
        <translation>Jede Stunde zur Minute {minute}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every hour at minute {minute} and {second} seconds</source>
        <translation>Jede Stunde zur Minute {minute} und {second} Sekunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every hour, on the hour</source>
        <translation>Jede Stunde, zur vollen Stunde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every minute, counted from {since}</source>
        <translation>Jede Minute, gezählt ab {since}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every month on day {day} at {time}</source>
        <translation>Jeden Monat am {day}. um {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every month on day {day} at {time}, in shorter months on their last day</source>
        <translation>Jeden Monat am {day}. um {time}, in kürzeren Monaten am letzten Tag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every year on {day} {month} at {time}</source>
        <translation>Jedes Jahr am {day}. {month} um {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every year on {day} {month} at {time}, in other years than leap years on 28 February</source>
        <translation>Jedes Jahr am {day}. {month} um {time}, in Jahren ohne Schalttag am 28. Februar</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>Every {days}</source>
        <translation>Jeden {days}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every {day} at {time}</source>
        <translation>Jeden {day} um {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>Every {first} to {last}</source>
        <translation>Von {first} bis {last}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Every {minutes} minutes, counted from {since}</source>
        <translation>Alle {minutes} Minuten, gezählt ab {since}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>February</source>
        <translation>Februar</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Friday</source>
        <translation>Freitag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It begins at {moment}.</source>
        <translation>Sie beginnt um {moment}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It counts elapsed time: changes of clocks do not move it.</source>
        <translation>Sie zählt vergangene Zeit: Umstellungen der Uhren verschieben sie nicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It ends after one run.</source>
        <translation>Sie endet nach einem Lauf.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It ends after {number} runs.</source>
        <translation>Sie endet nach {number} Läufen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It ends with {moment}: a run at that very time is the last.</source>
        <translation>Sie endet mit {moment}: Ein Lauf genau dann ist der letzte.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>It runs in each real hour: an hour that clocks skip adds no run, one that comes twice runs both times.</source>
        <translation>Sie läuft in jeder wirklichen Stunde: Eine Stunde, die die Uhren überspringen, fügt keinen Lauf hinzu, eine doppelte läuft beide Male.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>January</source>
        <translation>Januar</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>July</source>
        <translation>Juli</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>June</source>
        <translation>Juni</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>March</source>
        <translation>März</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>May</source>
        <translation>Mai</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Monday</source>
        <translation>Montag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>November</source>
        <translation>November</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>October</source>
        <translation>Oktober</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Once, at {moment}</source>
        <translation>Einmal, um {moment}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Saturday</source>
        <translation>Samstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>September</source>
        <translation>September</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Sunday</source>
        <translation>Sonntag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Thursday</source>
        <translation>Donnerstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Tuesday</source>
        <translation>Dienstag</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>Wednesday</source>
        <translation>Mittwoch</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cron_words.py"/>
        <source>When clocks go back, times that come twice run both times, because the hour field starts with *.</source>
        <translation>Gehen die Uhren zurück, laufen doppelte Zeiten beide Male, da das Stundenfeld mit * beginnt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cron_words.py"/>
        <source>When clocks go back, times that come twice run the first time only.</source>
        <translation>Gehen die Uhren zurück, laufen doppelte Zeiten nur das erste Mal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cron_words.py"/>
        <source>When clocks go forward, one run at that moment stands for all times that are skipped.</source>
        <translation>Gehen die Uhren vor, steht ein Lauf in diesem Moment für alle übersprungenen Zeiten.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>at every full hour</source>
        <translation>zu jeder vollen Stunde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>at every full hour from {first} to {last}</source>
        <translation>zu jeder vollen Stunde von {first} bis {last}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>at {times}</source>
        <translation>um {times}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>{days} {hours} ({zone})</source>
        <translation>{days} {hours} ({zone})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/words.py"/>
        <source>{those} and {last}</source>
        <translation>{those} und {last}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/schedule/cadence_words.py"/>
        <source>{time} on {weekday} {day} {month} {year}</source>
        <translation>{time} am {weekday}, {day}. {month} {year}</translation>
    </message>
</context>
<context>
    <name>Search</name>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>A minus in front leaves out what matches: -status:succeeded</source>
        <translation>Ein Minus davor lässt weg, was passt: -status:succeeded</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>There is no status “{word}”. There are {known}.</source>
        <translation>Einen Status „{word}“ gibt es nicht. Es gibt {known}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>Words are looked for in names and prompts; all of them must be found. “In quotes” stay together.</source>
        <translation>Wörter werden in Namen und Prompts gesucht; alle müssen vorkommen. „In Anführungszeichen“ bleiben sie beisammen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>due:2026-03-29, due:2026-03-29..2026-04-02, due:2026-03-29T09:00..2026-03-29T12:00</source>
        <translation>due:2026-03-29, due:2026-03-29..2026-04-02, due:2026-03-29T09:00..2026-03-29T12:00</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>due:today, due:tomorrow, due:24h, due:-7d, due:overdue, due:none</source>
        <translation>due:today, due:tomorrow, due:24h, due:-7d, due:overdue, due:none</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>status:failed, status:paused, status:attention, status:deleted …</source>
        <translation>status:failed, status:paused, status:attention, status:deleted …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>tag:notes, runtime:claude, zone:paris</source>
        <translation>tag:notes, runtime:claude, zone:paris</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>“due:{word}” is not understood and left out. Try {known}, or a date such as 2026-03-29.</source>
        <translation>„due:{word}“ ist nicht verständlich und bleibt unbeachtet. Versuchen Sie {known} oder ein Datum wie 2026-03-29.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/search.py"/>
        <source>“{word}” is no word of the filter, so it is looked for as text. There are {known}</source>
        <translation>„{word}“ ist kein Wort des Filters und wird als Text gesucht. Es gibt {known}</translation>
    </message>
</context>
<context>
    <name>SecretDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>&amp;Keep it</source>
        <translation>&amp;Hinterlegen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Asking the keyring. It may ask you to unlock it; look for its window…</source>
        <translation>Der Schlüsselbund wird gefragt. Er bittet Sie vielleicht, ihn zu entsperren; suchen Sie sein Fenster…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Goes to the keyring, and is not shown again.</source>
        <translation>Geht in den Schlüsselbund und wird nicht wieder gezeigt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>New secret</source>
        <translation>Neues Geheimnis</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Replace the secret “{name}”</source>
        <translation>Das Geheimnis „{name}“ ersetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The environment variable that the command gets.</source>
        <translation>Die Umgebungsvariable, die der Befehl bekommt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The secret</source>
        <translation>Das Geheimnis</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>SecretsPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>&amp;Delete…</source>
        <translation>&amp;Löschen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>&amp;New…</source>
        <translation>&amp;Neu…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>&amp;Replace…</source>
        <translation>&amp;Ersetzen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>A secret lies in your keyring and reaches a command only as an environment variable of its name. Coven Desktop keeps the name, and shows a value to nobody, not even to you.</source>
        <translation>Ein Geheimnis liegt in Ihrem Schlüsselbund und erreicht einen Befehl nur als Umgebungsvariable seines Namens. Coven Desktop merkt sich den Namen und zeigt niemandem einen Wert, auch Ihnen nicht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Delete it</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Delete the secret “{name}”?</source>
        <translation>Das Geheimnis „{name}“ löschen?</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Delete the selected one from the keyring</source>
        <translation>Das ausgewählte aus dem Schlüsselbund löschen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Give the selected one another value</source>
        <translation>Dem ausgewählten einen anderen Wert geben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Given to</source>
        <translation>Bekommen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>It is deleted from the keyring and cannot be brought back.</source>
        <translation>Es wird aus dem Schlüsselbund gelöscht und lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Keep another secret</source>
        <translation>Ein weiteres Geheimnis hinterlegen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Looking at the keyring…</source>
        <translation>Der Schlüsselbund wird angesehen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>No keyring has been made yet. Your first secret makes one, with a password that you choose.</source>
        <translation>Es wurde noch kein Schlüsselbund angelegt. Mit Ihrem ersten Geheimnis wird einer angelegt, mit einem Passwort, das Sie wählen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Secrets</source>
        <translation>Geheimnisse</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Set</source>
        <translation>Gesetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The keyring asked you to unlock it, and got no answer in time.</source>
        <translation>Der Schlüsselbund bat Sie, ihn zu entsperren, und bekam nicht rechtzeitig Antwort.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The keyring asks you to unlock it. Look for its window…</source>
        <translation>Der Schlüsselbund bittet Sie, ihn zu entsperren. Suchen Sie sein Fenster…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The keyring is locked: routines that are given a secret cannot start until it is unlocked.</source>
        <translation>Der Schlüsselbund ist gesperrt: Routinen, die ein Geheimnis bekommen, können nicht starten, bis er entsperrt ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>The keyring is open.</source>
        <translation>Der Schlüsselbund ist offen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>There is no keyring here. Install GNOME Keyring, KWallet or KeePassXC with its Secret Service switched on, log in again, then look again.</source>
        <translation>Hier gibt es keinen Schlüsselbund. Installieren Sie GNOME-Schlüsselbund, KWallet oder KeePassXC mit eingeschaltetem Geheimnisdienst, melden Sie sich neu an und sehen Sie dann noch einmal nach.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>There is no session bus here, so no keyring can be reached. Log in to your desktop, start Coven Desktop there, then look again.</source>
        <translation>Hier gibt es keinen Sitzungsbus, also ist kein Schlüsselbund zu erreichen. Melden Sie sich an Ihrer Arbeitsumgebung an, starten Sie Coven Desktop dort und sehen Sie dann noch einmal nach.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>Unlock…</source>
        <translation>Entsperren…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>What is given it cannot start any more until it is set again.</source>
        <translation>Was es bekommt, kann nicht mehr starten, bis es wieder gesetzt ist.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>nobody yet</source>
        <translation>noch niemand</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>not set here</source>
        <translation>hier nicht gesetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>“{name}” is deleted.</source>
        <translation>„{name}“ ist gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/secrets_page.py"/>
        <source>“{name}” is in the keyring.</source>
        <translation>„{name}“ ist im Schlüsselbund.</translation>
    </message>
</context>
<context>
    <name>SecretsPicker</name>
    <message>
        <location filename="../../coven_desktop/ui/environment_editor.py"/>
        <source>Secrets that the command is given. Each comes from the keyring when a run starts, as an environment variable of its name. Their values are set in Settings and shown nowhere.</source>
        <translation>Geheimnisse, die der Befehl bekommt. Jedes kommt beim Start eines Laufs aus dem Schlüsselbund, als Umgebungsvariable seines Namens. Ihre Werte werden in den Einstellungen gesetzt und nirgends gezeigt.</translation>
    </message>
</context>
<context>
    <name>SettingsRoom</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/room.py"/>
        <source>It does not start at login</source>
        <translation>Es startet nicht bei der Anmeldung</translation>
    </message>
</context>
<context>
    <name>SettingsWindow</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/window.py"/>
        <source>Pages of the settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/window.py"/>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>Several</name>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;End them</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;Note (kept with each attempt)</source>
        <translation>&amp;Notiz (wird bei jedem Versuch aufgehoben)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;Note (kept with each run)</source>
        <translation>&amp;Notiz (wird bei jedem Lauf aufgehoben)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;Release them</source>
        <translation>&amp;Freigeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;Retry them</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>&amp;Run them</source>
        <translation>A&amp;usführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>A stop of it is under way.</source>
        <translation>Ein Stopp davon ist im Gang.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>All {count} are done.</source>
        <translation>Alle {count} sind getan.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>End several runs</source>
        <translation>Mehrere Läufe beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>It cannot be run: {state}.</source>
        <translation>Sie kann nicht laufen: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>It has no working folder.</source>
        <translation>Sie hat keinen Arbeitsordner.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>It is not in quarantine.</source>
        <translation>Sie ist nicht in Quarantäne.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>It is paused. Run it by itself, which asks first.</source>
        <translation>Sie ist pausiert. Führen Sie sie einzeln aus, dann wird zuerst gefragt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>It is quarantined. Release it first.</source>
        <translation>Sie ist in Quarantäne. Geben Sie sie zuerst frei.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>Its last run is still open.</source>
        <translation>Ihr letzter Lauf ist noch offen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>Release several routines</source>
        <translation>Mehrere Routinen freigeben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>Retry several runs</source>
        <translation>Mehrere Läufe wiederholen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>Run several routines now</source>
        <translation>Mehrere Routinen jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>The stop could not be confirmed; it waits for your decision.</source>
        <translation>Der Stopp ließ sich nicht bestätigen; der Lauf wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>There is nothing to end: {state}.</source>
        <translation>Es gibt nichts zu beenden: {state}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>What a failed attempt has already done is not undone, and a retry may do it again.</source>
        <translation>Was ein fehlgeschlagener Versuch schon getan hat, wird nicht zurückgenommen, und eine Wiederholung tut es vielleicht noch einmal.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>What runs is told to end, and ended by force if it does not; it counts as stopped only when that is proven. What is held or waits is not tried again.</source>
        <translation>Was läuft, soll enden und wird beendet, wenn es nicht selbst endet; als gestoppt gilt es erst, wenn das bewiesen ist. Was zurückgehalten wird oder wartet, wird nicht noch einmal versucht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>Where the cause is still there, the next run fails the same way and the routine is quarantined again.</source>
        <translation>Wo die Ursache noch besteht, schlägt der nächste Lauf ebenso fehl, und die Routine kommt wieder in Quarantäne.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>{done} of {count} are done. {refused}</source>
        <translation>{done} von {count} sind getan. {refused}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several.py"/>
        <source>{name}, run of {time}</source>
        <translation>{name}, Lauf von {time}</translation>
    </message>
</context>
<context>
    <name>SeveralDialog</name>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>Left out: {why}</source>
        <translation>Weggelassen: {why}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>None of them can be done now.</source>
        <translation>Keiner davon ist jetzt möglich.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>The note is too long to be kept.</source>
        <translation>Die Notiz ist zu lang, um aufgehoben zu werden.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>What follows</source>
        <translation>Was folgt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>What is known</source>
        <translation>Was bekannt ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/several_dialog.py"/>
        <source>Why, if you like</source>
        <translation>Warum, wenn Sie mögen</translation>
    </message>
</context>
<context>
    <name>Shell</name>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>Coven Desktop goes on in the tray</source>
        <translation>Coven Desktop läuft in der Leiste weiter</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>Coven Desktop was brought down the last time. What is recorded is whole.</source>
        <translation>Coven Desktop ist beim letzten Mal abgestürzt. Was aufgezeichnet ist, ist vollständig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>Open again</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>The backup is in place. The database that was there is kept beside it as {name}.</source>
        <translation>Die Sicherung ist eingesetzt. Die Datenbank, die da war, liegt als {name} daneben.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>What happened…</source>
        <translation>Was geschah…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>Your routines run as planned. To end it, choose Quit in the menu of its icon.</source>
        <translation>Ihre Routinen laufen wie geplant. Um es zu beenden, wählen Sie „Beenden“ im Menü seines Symbols.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>{n} routines were not saved when Coven Desktop was ended. What you entered is kept.</source>
        <translation>{n} Routinen waren nicht gespeichert, als Coven Desktop beendet wurde. Was Sie eingegeben haben, ist aufbewahrt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/shell.py"/>
        <source>“{name}” was not saved when Coven Desktop was ended. What you entered is kept.</source>
        <translation>„{name}“ war nicht gespeichert, als Coven Desktop beendet wurde. Was Sie eingegeben haben, ist aufbewahrt.</translation>
    </message>
</context>
<context>
    <name>Skipped</name>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>1 earlier time was missed; this run stands for it</source>
        <translation>1 frühere Zeit wurde verpasst; dieser Lauf steht für sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>A time was missed and is skipped, as its catch-up says</source>
        <translation>Eine Zeit wurde verpasst und wird ausgelassen, wie eingestellt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Missed</source>
        <translation>Verpasst</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Missed and skipped</source>
        <translation>Verpasst und ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Missed: {number} times between {first} and {last} did not run, as newer ones had come</source>
        <translation>Verpasst: {number} Zeiten zwischen {first} und {last} liefen nicht, da neuere gekommen waren</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Missed: {reason}</source>
        <translation>Verpasst: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Skipped</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>Skipped: {reason}</source>
        <translation>Ausgelassen: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>an earlier run of it was not over</source>
        <translation>ein früherer Lauf war noch nicht zu Ende</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>found late, and its catch-up is to skip</source>
        <translation>zu spät bemerkt, und Verpasstes wird ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>found late, when a newer time had come</source>
        <translation>zu spät bemerkt, als eine neuere Zeit gekommen war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>{number} earlier times were missed; this run stands for all of them</source>
        <translation>{number} frühere Zeiten wurden verpasst; dieser Lauf steht für alle</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>{number} more times between {first} and {last} did not run: they were found too late</source>
        <translation>{number} weitere Zeiten zwischen {first} und {last} liefen nicht: Sie wurden zu spät bemerkt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>{number} times between {first} and {last} did not run: its catch-up is to skip them</source>
        <translation>{number} Zeiten zwischen {first} und {last} liefen nicht: Verpasstes wird ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/skipped_words.py"/>
        <source>{number} times were missed and are skipped, as its catch-up says</source>
        <translation>{number} Zeiten wurden verpasst und werden ausgelassen, wie eingestellt</translation>
    </message>
</context>
<context>
    <name>States</name>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>A deleted routine had the id “{name}”, and its history keeps it. Choose another id.</source>
        <translation>Eine gelöschte Routine hatte die Kennung „{name}“, und ihr Verlauf behält sie. Wählen Sie eine andere.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Active · last run failed, {time}</source>
        <translation>Aktiv · letzter Lauf fehlgeschlagen, {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>An authority cannot be set here: only a program that manages the routine can.</source>
        <translation>Eine Befugnis lässt sich hier nicht setzen: Das kann nur ein Programm, das die Routine verwaltet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>Another program manages “{name}” and has to change it there.</source>
        <translation>Ein anderes Programm verwaltet „{name}“ und muss es dort ändern.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Broken</source>
        <translation>Defekt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Deleted {time}</source>
        <translation>Gelöscht {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Delivering its output</source>
        <translation>Liefert die Ausgabe ab</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Did not finish; it counts as failed soon, by itself</source>
        <translation>Kam zu keinem Ende; zählt bald von selbst als fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Disabled</source>
        <translation>Abgeschaltet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Ended: {reason}</source>
        <translation>Beendet: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Failed and held for your retry</source>
        <translation>Fehlgeschlagen und angehalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Failed, held for your retry</source>
        <translation>Fehlgeschlagen, wartet auf Sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Failed, held for your retry until {time}</source>
        <translation>Fehlgeschlagen, wartet auf Sie bis {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Invalid</source>
        <translation>Ungültig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Needs your decision</source>
        <translation>Braucht Ihre Entscheidung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Outcome unknown</source>
        <translation>Ausgang unbekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Paused · last run failed, {time}</source>
        <translation>Pausiert · letzter Lauf fehlgeschlagen, {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Quarantined, a run used up its attempts: {reason}</source>
        <translation>In Quarantäne, ein Lauf hat seine Versuche aufgebraucht: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Quarantined, {n} runs used up their attempts: {reason}</source>
        <translation>In Quarantäne, {n} Läufe haben ihre Versuche aufgebraucht: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Retry {number}</source>
        <translation>Wiederholung {number}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Retry {number} of {all}</source>
        <translation>Wiederholung {number} von {all}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Skipped</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Stopping…</source>
        <translation>Wird gestoppt…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Succeeded</source>
        <translation>Erfolgreich</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Superseded</source>
        <translation>Abgelöst</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>There is a routine with the id “{name}” already. Choose another id.</source>
        <translation>Es gibt schon eine Routine mit der Kennung „{name}“. Wählen Sie eine andere.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>There is no routine “{name}” any more.</source>
        <translation>Eine Routine „{name}“ gibt es nicht mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>This run is not kept any more.</source>
        <translation>Dieser Lauf ist nicht mehr aufbewahrt.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Timed out</source>
        <translation>Zeit überschritten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>You asked for a retry. {name}</source>
        <translation>Sie haben eine Wiederholung verlangt. {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>You decided that it failed. {name}</source>
        <translation>Sie haben entschieden, dass er fehlgeschlagen ist. {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>You decided that it is tried again. {name}</source>
        <translation>Sie haben entschieden, dass er noch einmal versucht wird. {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>a Coven rule has no “{name}”; cadence or cron may say what you mean</source>
        <translation>eine Coven-Regel hat kein „{name}“; Takt oder Cron sagt vielleicht, was Sie meinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>a Coven rule is daily or weekly, not “{name}”; cadence or cron may say what you mean</source>
        <translation>eine Coven-Regel ist täglich oder wöchentlich, nicht „{name}“; Takt oder Cron sagt vielleicht, was Sie meinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>a later time was due as well, and only the latest one runs</source>
        <translation>ein späterer Termin war auch fällig, und nur der letzte läuft</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>asks for an authority this app does not have</source>
        <translation>verlangt eine Befugnis, die diese App nicht hat</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>could not be started</source>
        <translation>ließ sich nicht starten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>ended in a way that nobody knows</source>
        <translation>endete, ohne dass bekannt ist wie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>ended with an error</source>
        <translation>endete mit einem Fehler</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>exit {code}</source>
        <translation>Exit {code}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>found no command to run</source>
        <translation>fand keinen Befehl</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>how it ended was found out only after a stop that had no answer</source>
        <translation>wie er endete, wurde erst nach einem Stopp ohne Antwort bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it did not finish</source>
        <translation>er wurde nicht fertig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it ended and left no trace: whether its work was done is not known</source>
        <translation>er endete ohne Spur: Ob seine Arbeit getan wurde, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it ended with exit code {name}</source>
        <translation>er endete mit Exit-Code {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it failed</source>
        <translation>er ist fehlgeschlagen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it needs a name</source>
        <translation>sie braucht einen Namen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it needs a prompt</source>
        <translation>sie braucht einen Prompt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it needs a runtime</source>
        <translation>sie braucht eine Runtime</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it took longer than it may</source>
        <translation>er dauerte länger, als er darf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it was ended from outside Coven Desktop, for example by a logout</source>
        <translation>er wurde von außerhalb von Coven Desktop beendet, zum Beispiel durch eine Abmeldung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it was killed</source>
        <translation>er wurde gewaltsam beendet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it was not started in time, and nothing of it began</source>
        <translation>er wurde nicht rechtzeitig gestartet, und nichts von ihm begann</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it was not started in time, at none of its attempts</source>
        <translation>er wurde bei keinem seiner Versuche rechtzeitig gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>it was told to stop, and whether all of it has ended is not known</source>
        <translation>er sollte stoppen, und ob alles davon beendet ist, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>its routine was changed before it began (revision {name})</source>
        <translation>seine Routine wurde geändert, bevor er begann (Revision {name})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>its routine was deleted before it began</source>
        <translation>seine Routine wurde gelöscht, bevor er begann</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>its time was over before its retry could begin</source>
        <translation>seine Zeit war um, bevor seine Wiederholung beginnen konnte</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>nobody retried it before its time was over</source>
        <translation>niemand hat ihn wiederholt, bevor seine Zeit um war</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none until it is released</source>
        <translation>keiner bis zur Freigabe</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none while paused</source>
        <translation>keiner, solange pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: deleted</source>
        <translation>keiner: gelöscht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: disabled</source>
        <translation>keiner: deaktiviert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: it cannot be read any more</source>
        <translation>keiner: nicht mehr lesbar</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: it has ended</source>
        <translation>keiner: Sie ist beendet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: not valid, it must be mended</source>
        <translation>keiner: ungültig, muss behoben werden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>none: still a draft</source>
        <translation>keiner: noch ein Entwurf</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>signal {number}</source>
        <translation>Signal {number}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>stopped on request</source>
        <translation>auf Wunsch gestoppt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>the command “{name}” of runtime “{of}” was not found</source>
        <translation>der Befehl „{name}“ der Runtime „{of}“ wurde nicht gefunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>the working folder {name} is not there, or cannot be entered</source>
        <translation>der Arbeitsordner {name} ist nicht da oder lässt sich nicht betreten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>took too long</source>
        <translation>dauerte zu lange</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>was not started in time</source>
        <translation>wurde nicht rechtzeitig gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>was refused at its start</source>
        <translation>wurde beim Start abgelehnt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>was stopped on request</source>
        <translation>wurde auf Wunsch gestoppt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>{name} does not exist in {of}</source>
        <translation>{name} gibt es nicht in {of}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>{name}; it is held for your retry</source>
        <translation>{name}; der Lauf wartet auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>{retry} at {time}</source>
        <translation>{retry} um {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>{retry} is due</source>
        <translation>{retry} ist fällig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>{retry} waits for the release of its routine</source>
        <translation>{retry} wartet auf die Freigabe der Routine</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>{retry} will not come: its routine is deleted</source>
        <translation>{retry} entfällt: Die Routine ist gelöscht</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/texts.py"/>
        <source>{retry} would come after its deadline, {time}</source>
        <translation>{retry} käme nach Ablauf der Frist, {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/jargon.py"/>
        <source>“{name}” is no time zone that is known here. Choose one from the list, such as Europe/Paris.</source>
        <translation>„{name}“ ist keine Zeitzone, die hier bekannt ist. Wählen Sie eine aus der Liste, etwa Europe/Paris.</translation>
    </message>
</context>
<context>
    <name>StopLine</name>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop</source>
        <translation>Der Stopp</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>Time of the stop</source>
        <translation>Zeit des Stopps</translation>
    </message>
</context>
<context>
    <name>Stops</name>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>A stop was asked for, but it had ended by itself before the stop reached it.</source>
        <translation>Ein Stopp war verlangt, aber der Lauf war schon von selbst zu Ende, ehe er ihn erreichte.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>Cancelled before anything was started.</source>
        <translation>Abgesagt, ehe etwas gestartet wurde.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>Given up: nothing of this run was running any more.</source>
        <translation>Aufgegeben: Nichts von diesem Lauf lief mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>Its time is over, so it is being stopped since {since}. The proof is awaited until {until}.</source>
        <translation>Seine Zeit ist um, daher wird er seit {since} gestoppt. Auf den Beweis wird bis {until} gewartet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>Not stopped: {reason}</source>
        <translation>Nicht gestoppt: {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The retry was cancelled before it began; nothing of this run was running any more.</source>
        <translation>Die Wiederholung wurde abgebrochen, ehe sie begann; nichts von diesem Lauf lief mehr.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop came too late. {reason}</source>
        <translation>Der Stopp kam zu spät. {reason}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop could not be confirmed: something may still run. It waits for your decision.</source>
        <translation>Der Stopp ließ sich nicht bestätigen: Etwas läuft vielleicht noch. Es wartet auf Ihre Entscheidung.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop was asked for at {since}. Everything it started is told to end, and ended by force if it does not. Waiting for the proof, until {until} at most.</source>
        <translation>Der Stopp wurde um {since} verlangt. Alles, was der Lauf gestartet hat, soll enden und wird beendet, wenn es nicht selbst endet. Auf den Beweis wird höchstens bis {until} gewartet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop was asked for. Waiting for the proof that nothing is left running…</source>
        <translation>Der Stopp ist verlangt. Es wird auf den Beweis gewartet, dass nichts mehr läuft…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop was confirmed at {time}: nothing of this run is left.</source>
        <translation>Der Stopp wurde um {time} bestätigt: Nichts von diesem Lauf ist übrig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>The stop was confirmed: nothing of this run is left.</source>
        <translation>Der Stopp wurde bestätigt: Nichts von diesem Lauf ist übrig.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/stop_line.py"/>
        <source>What it left running is being stopped since {since}. The proof is awaited until {until}.</source>
        <translation>Was er laufen ließ, wird seit {since} gestoppt. Auf den Beweis wird bis {until} gewartet.</translation>
    </message>
</context>
<context>
    <name>TimelineStrip</name>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>Timeline: the last 7 days and the next 24 hours</source>
        <translation>Zeitleiste: die letzten 7 Tage und die nächsten 24 Stunden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>To come, {when}:</source>
        <translation>Kommend, {when}:</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>and {number} more</source>
        <translation>und {number} weitere</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>{time}  {name}</source>
        <translation>{time}  {name}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/timeline.py"/>
        <source>{when}: {told}</source>
        <translation>{when}: {told}</translation>
    </message>
</context>
<context>
    <name>Times</name>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>in {duration}</source>
        <translation>in {duration}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>less than a second</source>
        <translation>weniger als eine Sekunde</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>the same in {zone}</source>
        <translation>dasselbe in {zone}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>today {time}</source>
        <translation>heute {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>tomorrow {time}</source>
        <translation>morgen {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>yesterday {time}</source>
        <translation>gestern {time}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>{duration} ago</source>
        <translation>vor {duration}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>{time} in {zone}</source>
        <translation>{time} in {zone}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>{time}, your time</source>
        <translation>{time}, Ihre Zeit</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/times.py"/>
        <source>{time}, your time ({zone})</source>
        <translation>{time}, Ihre Zeit ({zone})</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 failed run is held for your retry</source>
        <translation>1 fehlgeschlagener Lauf wartet auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 failed since you last looked</source>
        <translation>1 fehlgeschlagen, seit Sie zuletzt nachgesehen haben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 needs attention</source>
        <translation>1 braucht Sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 routine is quarantined</source>
        <translation>1 Routine ist in Quarantäne</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 run ended in a way that nobody knows</source>
        <translation>Wie 1 Lauf endete, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 run goes on that is not known here</source>
        <translation>1 Lauf geht weiter, der hier nicht bekannt ist</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 waits for a free place</source>
        <translation>1 wartet auf einen freien Platz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>1 waits to retry</source>
        <translation>1 wartet auf seine Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>A run goes on that this database does not know, as after a backup was restored. Until it has ended, nothing else of its routine is started.</source>
        <translation>Ein Lauf geht weiter, den diese Datenbank nicht kennt, etwa nach dem Einspielen einer Sicherung. Bis er beendet ist, wird nichts anderes von seiner Routine gestartet.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>All routines are paused</source>
        <translation>Alle Routinen sind pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>As many runs go on as may at the same time. What is due waits for one of them to end; how many may is set under Settings.</source>
        <translation>Es laufen so viele Läufe, wie gleichzeitig dürfen. Was fällig ist, wartet auf das Ende eines davon; wie viele dürfen, steht in den Einstellungen.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Everything is paused</source>
        <translation>Alles ist pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Everything is paused until {moment}</source>
        <translation>Alles ist bis {moment} pausiert</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Idle</source>
        <translation>Nichts zu tun</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Little room is left on the disk of the home folder. When it is full, nothing can be recorded and so nothing is started. Free some space; what waits goes on by itself.</source>
        <translation>Auf dem Datenträger des Datenordners ist kaum noch Platz. Ist er voll, kann nichts aufgezeichnet und deshalb nichts gestartet werden. Schaffen Sie Platz; was wartet, geht von selbst weiter.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray.py"/>
        <source>Next: {firing}</source>
        <translation>Nächster Lauf: {firing}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>No routines yet</source>
        <translation>Noch keine Routinen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>The database is damaged: nothing is started</source>
        <translation>Die Datenbank ist beschädigt: Nichts wird gestartet</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>The disk is almost full: free some space</source>
        <translation>Der Datenträger ist fast voll: Schaffen Sie Platz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>The scheduler stands still</source>
        <translation>Der Planer steht still</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>Waiting for the network after sleep</source>
        <translation>Wartet nach dem Ruhezustand auf das Netz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} failed runs are held for your retry</source>
        <translation>{n} fehlgeschlagene Läufe warten auf Ihre Wiederholung</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} failed since you last looked</source>
        <translation>{n} fehlgeschlagen, seit Sie zuletzt nachgesehen haben</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} need attention</source>
        <translation>{n} brauchen Sie</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} routines are quarantined</source>
        <translation>{n} Routinen sind in Quarantäne</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} running</source>
        <translation>{n} im Gang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} runs ended in a way that nobody knows</source>
        <translation>Wie {n} Läufe endeten, ist nicht bekannt</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} runs go on that are not known here</source>
        <translation>{n} Läufe gehen weiter, die hier nicht bekannt sind</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} wait for a free place</source>
        <translation>{n} warten auf einen freien Platz</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_state.py"/>
        <source>{n} wait to retry</source>
        <translation>{n} warten auf ihre Wiederholung</translation>
    </message>
</context>
<context>
    <name>TrayMenu</name>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>For 1 hour</source>
        <translation>1 Stunde lang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>For 30 minutes</source>
        <translation>30 Minuten lang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>For 8 hours</source>
        <translation>8 Stunden lang</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Needs attention ({n})</source>
        <translation>Handlungsbedarf ({n})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Open Coven Desktop</source>
        <translation>Coven Desktop öffnen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Pause all until…</source>
        <translation>Alles pausieren bis…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Quit… (one run goes on)</source>
        <translation>Beenden… (ein Lauf geht weiter)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Quit… ({n} runs go on)</source>
        <translation>Beenden… ({n} Läufe gehen weiter)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Resume everything</source>
        <translation>Alles fortsetzen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Run now</source>
        <translation>Jetzt ausführen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Show notifications again (off until {moment})</source>
        <translation>Benachrichtigungen wieder zeigen (aus bis {moment})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Show output</source>
        <translation>Ausgabe zeigen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Snooze notifications</source>
        <translation>Benachrichtigungen stumm schalten</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>{name}   (paused)</source>
        <translation>{name}   (pausiert)</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>{name}   stopping…</source>
        <translation>{name}   wird gestoppt…</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/tray_menu.py"/>
        <source>{n} more in the window…</source>
        <translation>{n} weitere im Fenster…</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>What is running goes on to its end.</source>
        <translation>Was gerade läuft, läuft noch zu Ende.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>“{name}” and {count} more are deleted.</source>
        <translation>„{name}“ und {count} weitere sind gelöscht.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/bars.py"/>
        <source>“{name}” is deleted.</source>
        <translation>„{name}“ ist gelöscht.</translation>
    </message>
</context>
<context>
    <name>ZonePicker</name>
    <message>
        <location filename="../../coven_desktop/ui/zone_picker.py"/>
        <source>City, country, PST, +9 …</source>
        <translation>Stadt, Land, PST, +9 …</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/zone_picker.py"/>
        <source>The clocks that the schedule goes by. Type a city, a country, an abbreviation such as PST or an offset such as +9, and choose. “local” is the zone of this computer; its exact name is stored.</source>
        <translation>Die Uhren, nach denen der Zeitplan geht. Geben Sie eine Stadt, ein Land, eine Abkürzung wie PST oder einen Abstand wie +9 ein, und wählen Sie. „local“ ist die Zone dieses Computers; ihr genauer Name wird gespeichert.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/zone_picker.py"/>
        <source>{time} now, {offset}</source>
        <translation>{time} jetzt, {offset}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/zone_picker.py"/>
        <source>{time} now, {offset} ({names})</source>
        <translation>{time} jetzt, {offset} ({names})</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/zone_picker.py"/>
        <source>“local” is {zone} here, and that name is stored. {clocks}</source>
        <translation>„local“ ist hier {zone}, und dieser Name wird gespeichert. {clocks}</translation>
    </message>
</context>
<context>
    <name>ZonesPage</name>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>A routine runs by its own zone, wherever the machine is. Times in this app are shown in yours.</source>
        <translation>Eine Routine läuft nach ihrer eigenen Zone, wo auch immer der Rechner ist. Zeiten zeigt diese App in Ihrer.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Countries change their clocks by law, sometimes at short notice. When newer data is installed, what is next is computed anew at the next start; what has run stays as it was.</source>
        <translation>Länder stellen ihre Uhren per Gesetz um, manchmal kurzfristig. Werden neuere Daten installiert, wird beim nächsten Start neu berechnet, was als Nächstes kommt; was gelaufen ist, bleibt, wie es war.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>There is none that can be used: {reason}.</source>
        <translation>Es gibt keine, die sich verwenden lassen: {reason}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Time zones</source>
        <translation>Zeitzonen</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Version {version}, that of the installed tzdata package, in {folder}</source>
        <translation>Version {version}, die des installierten Pakets tzdata, in {folder}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Version {version}, that of the system, in {folder}</source>
        <translation>Version {version}, die des Systems, in {folder}</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Your zone cannot be told: {reason}.</source>
        <translation>Ihre Zone lässt sich nicht feststellen: {reason}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Your zone is {zone}.</source>
        <translation>Ihre Zone ist {zone}.</translation>
    </message>
    <message>
        <location filename="../../coven_desktop/ui/settings/zones_page.py"/>
        <source>Zone data in use</source>
        <translation>Verwendete Zonendaten</translation>
    </message>
</context>
</TS>
