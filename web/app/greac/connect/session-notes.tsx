// Notes below the header of a live session.

/** What a participant of a session has to know at the moment. */
export function SessionNotes({ notes }: { notes: readonly (string | false)[] }) {
  const shown = notes.filter((note) => note !== false);
  if (shown.length === 0) return null;
  return (
    <div
      role="status"
      className="grid gap-0.5 border-b border-line bg-warning-bg px-4 py-1 text-xs text-warning-fg"
    >
      {shown.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}
