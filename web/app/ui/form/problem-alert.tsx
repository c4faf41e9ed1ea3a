// Alert that lists the server's validation errors of unsaved settings by field name.

export function ProblemAlert(props: { text: string; errors: Readonly<Record<string, string>> }) {
  return (
    <div role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
      {props.text}
      <ul className="list-disc pl-5">
        {Object.entries(props.errors).map(([name, reason]) => (
          <li key={name}>
            <code className="text-xs">{name}</code> {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
