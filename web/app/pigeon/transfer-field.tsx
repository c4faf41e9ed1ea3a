// Whom a callflow transfers to: one of the contacts and which of its phones, or nobody. Travels as JSON in one hidden input.
import { useState } from 'react';
import { classes } from '../ui/classes.ts';
import { controlClass, controlProps, FieldFrame, FieldGroup } from '../ui/field-frame.tsx';
import { jsonName, memberName } from '../ui/form-data.ts';
import { useFormError } from '../ui/form-errors.ts';
import { ReferenceInput } from '../ui/reference-input.tsx';
import { useTranslation } from '../ui/words.tsx';

const name = 'transferTo';

export function TransferField(props: { value: unknown; contacts: Record<string, { name: string }> }) {
  const { t, label } = useTranslation();
  const known = (props.value ?? {}) as { contactId?: string; phone?: number };
  const [contactId, setContactId] = useState(known.contactId ?? '');
  const [phone, setPhone] = useState(String(known.phone ?? 1));
  const error = useFormError(name);
  const contactName = memberName(name, 'contactId');
  const phoneName = memberName(name, 'phone');
  const contact = {
    name: contactName,
    label: label('contactId'),
    required: false,
    error: useFormError(contactName),
  };
  const place = { name: phoneName, label: label('phone'), required: false, error: useFormError(phoneName) };
  const sent = contactId === '' ? null : { contactId, phone: Number(phone) || phone };
  return (
    <FieldGroup
      name={name}
      label={label(name)}
      hint={t('pigeon.transfer-hint')}
      error={error}
      required={false}
      className="rounded-md border border-line p-3"
    >
      <input type="hidden" name={jsonName(name)} value={JSON.stringify(sent)} />
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_9rem]">
        <FieldFrame {...contact}>
          <ReferenceInput
            control={controlProps(contact)}
            options={props.contacts}
            value={contactId}
            required={false}
            label={contact.label}
            onChange={setContactId}
          />
        </FieldFrame>
        <FieldFrame {...place}>
          <input
            {...controlProps(place)}
            type="number"
            min={1}
            value={phone}
            disabled={contactId === ''}
            onChange={(event) => setPhone(event.target.value)}
            className={classes(controlClass, 'h-8')}
          />
        </FieldFrame>
      </div>
    </FieldGroup>
  );
}
