"""The tables as of November 23, 2026: one migration instead of the twenty that led there.

A database that has all twenty counts as having this one. What each of them did is in the history of this file's folder.
"""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.utils.crypto import salted_hmac

import tournament.models.event


def name_it(apps, schema_editor):
    """The installation's name comes of the key at first, as it did before it was stored."""
    name = salted_hmac("uptown.installation", "").hexdigest()[:16]
    apps.get_model("tournament", "Installation").objects.create(name=name)


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ('tournament', '0001_initial'),
        ('tournament', '0002_decision'),
        ('tournament', '0003_game_begun_at'),
        ('tournament', '0004_notice'),
        ('tournament', '0005_submission'),
        ('tournament', '0006_second_look_and_clock'),
        ('tournament', '0007_money_and_placings'),
        ('tournament', '0008_paid_teams_in_the_ledger'),
        ('tournament', '0009_every_fact_in_the_event_file'),
        ('tournament', '0010_pins'),
        ('tournament', '0011_rounds_drawn_by_number'),
        ('tournament', '0012_tablets_beyond_z'),
        ('tournament', '0013_signed_on_paper'),
        ('tournament', '0014_games_that_do_not_count'),
        ('tournament', '0015_events_keep_their_rules'),
        ('tournament', '0016_rounds_by_hand'),
        ('tournament', '0017_causes_of_entries'),
        ('tournament', '0018_calls_in_words'),
        ('tournament', '0019_installation'),
        ('tournament', '0020_results_without_sentences'),
    ]

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('date', models.DateField()),
                ('place', models.CharField(blank=True, max_length=60)),
                ('time_zone', models.CharField(default='America/New_York', max_length=40)),
                ('sheet', models.CharField(default='bid_whist/no-kitty-2021', max_length=60)),
                ('options', models.JSONField(blank=True, default=dict)),
                ('rounds_planned', models.PositiveSmallIntegerField(default=6)),
                ('movement', models.CharField(choices=[('moving', 'Moving teams go up one table'), ('round-robin', 'Everyone plays everyone'), ('swiss', 'Swiss: by record'), ('random', 'Random draw'), ('winners-up', 'Winners up, losers down'), ('by-hand', 'Drawn by hand')], default='moving', max_length=20)),
                ('keep_apart', models.BooleanField(default=False)),
                ('seed', models.PositiveIntegerField(default=tournament.models.event._seed)),
                ('fee_cents', models.PositiveIntegerField(default=0)),
                ('pot_cents', models.PositiveIntegerField(default=0)),
                ('currency', models.CharField(default='$', max_length=3)),
                ('cut', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('best_of', models.PositiveSmallIntegerField(default=1)),
                ('third_place', models.BooleanField(default=False)),
                ('paper', models.CharField(choices=[('letter', 'Letter'), ('a4', 'A4')], default='letter', max_length=10)),
                ('stage', models.CharField(choices=[('setup', 'Being set up'), ('playing', 'Qualifying games'), ('playoffs', 'Playoffs'), ('over', 'Finished')], default='setup', max_length=10)),
                ('frozen_at', models.DateTimeField(blank=True, null=True)),
                ('version', models.PositiveBigIntegerField(default=0)),
                ('epoch', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('verify_closing', models.CharField(choices=[('warns', 'The round can be closed; the desk says which games wait'), ('blocks', 'The round stays open until they are verified')], default='warns', max_length=6)),
                ('verify_own', models.BooleanField(default=False)),
                ('board_shows', models.CharField(choices=[('turns', 'Everything in turn'), ('seating', 'Seating'), ('standings', 'Standings'), ('bracket', 'Bracket'), ('pot', 'Boston pot'), ('champion', 'Champions')], default='turns', max_length=10)),
                ('prizes', models.JSONField(blank=True, default=dict)),
                ('ran_by', models.JSONField(blank=True, default=list)),
                ('sign_with', models.CharField(choices=[('name', 'The name of a player'), ('pin', 'The name of a player and the PIN')], default='name', max_length=4)),
                ('by_number', models.BooleanField(default=False)),
                ('printed', models.TextField(blank=True, editable=False)),
            ],
            options={
                'ordering': ['-date', '-id'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('rounds_planned__gte', 1), ('rounds_planned__lte', 60)), name='event_rounds'),
                    models.CheckConstraint(condition=models.Q(('stage__in', ['setup', 'playing', 'playoffs', 'over'])), name='event_stage'),
                    models.CheckConstraint(condition=models.Q(('cut__isnull', True), ('cut__gte', 2), _connector='OR'), name='event_cut'),
                    models.CheckConstraint(condition=models.Q(('best_of__in', [1, 3, 5, 7])), name='event_best_of'),
                    models.CheckConstraint(condition=models.Q(('verify_closing__in', ['warns', 'blocks'])), name='event_verify_closing'),
                    models.CheckConstraint(condition=models.Q(('board_shows__in', ['turns', 'seating', 'standings', 'bracket', 'pot', 'champion'])), name='event_board_shows'),
                    models.CheckConstraint(condition=models.Q(('sign_with__in', ['name', 'pin'])), name='event_sign_with'),
                    models.CheckConstraint(condition=models.Q(('frozen_at__isnull', True), models.Q(('printed', ''), _negated=True), _connector='OR'), name='event_keeps_its_rules'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=160)),
                ('city', models.CharField(blank=True, max_length=40)),
                ('club', models.CharField(blank=True, max_length=40)),
                ('paid', models.BooleanField(default=False)),
                ('in_pot', models.BooleanField(default=False)),
                ('status', models.CharField(choices=[('playing', 'Playing'), ('left', 'Left'), ('disqualified', 'Disqualified')], default='playing', max_length=12)),
                ('left_after', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('joined_in', models.PositiveSmallIntegerField(default=1)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='teams', to='tournament.event')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'number'), name='one_team_per_number'),
                    models.UniqueConstraint(fields=('event', 'key'), name='one_team_per_name'),
                    models.CheckConstraint(condition=models.Q(('number__gte', 1), ('number__lte', 9999)), name='team_number'),
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='team_has_a_name'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('stage', models.CharField(choices=[('qualifying', 'Qualifying'), ('tiebreak', 'Tie-break'), ('playoff', 'Playoff')], default='qualifying', max_length=10)),
                ('title', models.CharField(blank=True, max_length=40)),
                ('state', models.CharField(choices=[('planned', 'Planned'), ('running', 'In play'), ('closed', 'Closed')], default='planned', max_length=10)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('notes', models.JSONField(blank=True, default=list)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='tournament.event')),
                ('extra_seconds', models.IntegerField(default=0)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('paused_seconds', models.PositiveIntegerField(default=0)),
                ('time_called_at', models.DateTimeField(blank=True, null=True)),
                ('by_hand', models.BooleanField(default=False)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'number'), name='one_round_per_number'),
                    models.UniqueConstraint(condition=models.Q(('stage__in', ['qualifying', 'playoff']), ('state', 'running')), fields=('event',), name='one_running_round'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'running', 'closed'])), name='round_state'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField()),
                ('match', models.CharField(blank=True, max_length=12)),
                ('leg', models.PositiveSmallIntegerField(default=1)),
                ('state', models.CharField(choices=[('planned', 'Not started'), ('playing', 'Playing'), ('to-sign', 'To sign'), ('final', 'Final'), ('void', 'Does not count')], default='planned', max_length=10)),
                ('first_dealer', models.PositiveSmallIntegerField(default=0)),
                ('version', models.PositiveIntegerField(default=0)),
                ('last_entry_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='games', to='tournament.round')),
                ('begun_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['round__number', 'table', 'leg'],
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'table', 'leg'), name='one_game_per_table'),
                    models.CheckConstraint(condition=models.Q(('state__in', ['planned', 'playing', 'to-sign', 'final', 'void'])), name='game_state'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('table', models.PositiveSmallIntegerField()),
                ('code_hash', models.CharField(blank=True, max_length=64)),
                ('token_hash', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('paired_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('last_seen_at', models.DateTimeField(blank=True, null=True)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to='tournament.event')),
                ('battery', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('letter', models.CharField(default='A', max_length=3)),
                ('unsent', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('writes', models.BooleanField(default=True)),
                ('signing_paused_until', models.DateTimeField(blank=True, null=True)),
                ('wrong_pins', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['table', 'id'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('code_hash', ''), _negated=True), fields=('code_hash',), name='one_device_per_code'),
                    models.UniqueConstraint(condition=models.Q(('token_hash', ''), _negated=True), fields=('token_hash',), name='one_device_per_token'),
                    models.UniqueConstraint(condition=models.Q(('revoked_at__isnull', True), ('writes', True)), fields=('event', 'table'), name='one_writer_per_table'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('revision', models.PositiveSmallIntegerField(default=0)),
                ('kind', models.CharField(max_length=12)),
                ('facts', models.JSONField()),
                ('client_key', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('source', models.CharField(choices=[('table', 'Tablet'), ('desk', 'Desk'), ('paper', 'Paper'), ('import', 'Import')], max_length=6)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('entered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('device', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, to='tournament.device')),
                ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('replaces', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='replaced_by', to='tournament.entry')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='tournament.game')),
                ('by', models.CharField(blank=True, max_length=150)),
                ('cause', models.CharField(blank=True, default='', max_length=10)),
            ],
            options={
                'ordering': ['position', 'revision'],
                'constraints': [
                    models.UniqueConstraint(fields=('game', 'position', 'revision'), name='one_entry_per_revision'),
                    models.CheckConstraint(condition=models.Q(models.Q(('replaces__isnull', True), ('revision', 0)), models.Q(('replaces__isnull', False), ('revision__gte', 1)), _connector='OR'), name='a_revision_replaces_one'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ('opening', 'hand', 'void', 'ruling', 'award', 'adjustment', 'time', 'agreed_stop', 'removed'))), name='entry_kind'),
                    models.CheckConstraint(condition=models.Q(('source__in', ['table', 'desk', 'paper', 'import'])), name='entry_source'),
                    models.CheckConstraint(condition=models.Q(('cause__in', ('', 'after-hand', 'set-aside'))), name='entry_cause'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Call',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('renege', 'Renege'), ('exposed', 'Exposed card'), ('count', 'Wrong number of cards'), ('score', 'Score question'), ('other', 'Something else')], max_length=10)),
                ('called_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='tournament.game')),
            ],
            options={
                'ordering': ['called_at'],
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('answered_at__isnull', True)), fields=('game',), name='one_open_call'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['renege', 'exposed', 'count', 'score', 'other'])), name='call_kind'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Journal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('address', models.CharField(blank=True, max_length=45)),
                ('action', models.CharField(max_length=30)),
                ('noun', models.CharField(max_length=20)),
                ('key', models.CharField(blank=True, max_length=40)),
                ('text', models.CharField(max_length=300)),
                ('before', models.JSONField(blank=True, null=True)),
                ('after', models.JSONField(blank=True, null=True)),
                ('device', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, to='tournament.device')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='journal', to='tournament.event')),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('by', models.CharField(blank=True, max_length=150)),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='Official',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('director', 'Director'), ('verifier', 'Verifier')], max_length=10)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='officials', to='tournament.event')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'user'), name='one_office_per_event'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('over', models.BooleanField(default=False)),
                ('winner', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('how', models.CharField(blank=True, max_length=20)),
                ('rule', models.CharField(blank=True, max_length=40)),
                ('points', models.JSONField(default=list)),
                ('scores', models.JSONField(default=list)),
                ('sets', models.JSONField(default=list)),
                ('bostons', models.JSONField(default=list)),
                ('hands', models.PositiveSmallIntegerField(default=0)),
                ('code', models.CharField(max_length=16)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='tournament.game')),
            ],
            options={
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='Signature',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('side', models.PositiveSmallIntegerField()),
                ('code', models.CharField(max_length=16)),
                ('name', models.CharField(max_length=40)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('signed_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('device', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, to='tournament.device')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='signatures', to='tournament.game')),
                ('witness', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('by', models.CharField(blank=True, max_length=150)),
                ('how', models.CharField(blank=True, choices=[('paper', 'signed on paper'), ('back', 'taken back')], max_length=5)),
                ('revision', models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                'ordering': ['signed_at'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('code', ''), _negated=True), name='a_signature_names_its_sheet'),
                    models.UniqueConstraint(fields=('game', 'side', 'code', 'revision'), name='one_signature_per_side'),
                    models.CheckConstraint(condition=models.Q(('how__in', ['', 'paper', 'back'])), name='signature_how'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Side',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('leg', models.PositiveSmallIntegerField(default=1)),
                ('index', models.PositiveSmallIntegerField()),
                ('seated_at', models.DateTimeField(blank=True, null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sides', to='tournament.game')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='tournament.round')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='sides', to='tournament.team')),
            ],
            options={
                'ordering': ['index'],
                'constraints': [
                    models.UniqueConstraint(fields=('game', 'index'), name='one_team_per_side'),
                    models.UniqueConstraint(fields=('round', 'team', 'leg'), name='one_table_per_team_and_round'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=160)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='players', to='tournament.team')),
            ],
            options={
                'ordering': ['position'],
                'constraints': [
                    models.UniqueConstraint(fields=('team', 'position'), name='one_player_per_place'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Bye',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('round', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='byes', to='tournament.round')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='byes', to='tournament.team')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('round', 'team'), name='one_bye_per_round'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('method', models.CharField(choices=[('lots', 'Drawing of lots'), ('head-to-head', 'Their games against each other'), ('bye', 'Lots for a bye, then games')], max_length=14)),
                ('teams', models.JSONField()),
                ('seed', models.PositiveIntegerField(blank=True, null=True)),
                ('witness', models.CharField(blank=True, max_length=40)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='tournament.event')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('by', models.CharField(blank=True, max_length=150)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'number'), name='one_decision_per_number'),
                    models.CheckConstraint(condition=models.Q(('method__in', ['lots', 'head-to-head', 'bye'])), name='decision_method'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=300)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='tournament.game')),
                ('seen_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('seen_on', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to='tournament.device')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='tournament.team')),
            ],
            options={
                'ordering': ['made_at', 'id'],
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='Submission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('uid', models.UUIDField(unique=True)),
                ('digest', models.CharField(max_length=64)),
                ('kind', models.CharField(max_length=10)),
                ('after', models.UUIDField(blank=True, null=True)),
                ('body', models.JSONField()),
                ('claimed_at', models.DateTimeField(blank=True, null=True)),
                ('received_at', models.DateTimeField(auto_now_add=True)),
                ('status', models.CharField(choices=[('parked', 'Waits for the desk'), ('applied', 'Applied'), ('replaced', 'Put in the place of a line'), ('discarded', 'Discarded')], max_length=10)),
                ('code', models.CharField(blank=True, max_length=20)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('field', models.CharField(blank=True, max_length=40)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('decision', models.CharField(blank=True, max_length=200)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('device', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='submissions', to='tournament.device')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='submissions', to='tournament.event')),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='submissions', to='tournament.game')),
            ],
            options={
                'ordering': ['id'],
                'indexes': [
                    models.Index(fields=['event', 'status'], name='submission_by_status'),
                ],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('status__in', ['parked', 'applied', 'replaced', 'discarded'])), name='submission_status'),
                    models.CheckConstraint(condition=models.Q(models.Q(('status', 'parked'), _negated=True), models.Q(('code', ''), _negated=True), _connector='OR'), name='a_parked_one_says_why'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Substitution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField()),
                ('out', models.CharField(max_length=40)),
                ('into', models.CharField(max_length=40)),
                ('from_round', models.PositiveSmallIntegerField()),
                ('to_round', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('approved_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='substitutions', to='tournament.team')),
                ('by', models.CharField(blank=True, max_length=150)),
            ],
            options={
                'ordering': ['id'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('from_round__gte', 1)), name='substitution_from'),
                    models.CheckConstraint(condition=models.Q(('to_round__isnull', True), ('to_round__gte', models.F('from_round')), _connector='OR'), name='substitution_to'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(max_length=16)),
                ('accepted', models.BooleanField()),
                ('name', models.CharField(max_length=40)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to='tournament.game')),
            ],
            options={
                'ordering': ['made_at', 'id'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('code', ''), _negated=True), name='a_verification_names_its_sheet'),
                    models.CheckConstraint(condition=models.Q(('accepted', True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='a_rejection_has_a_reason'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Ledger',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('fee', 'Entry fee'), ('pot', 'Boston pot'), ('prepaid', 'Paid in advance'), ('refund', 'Refund'), ('payout', 'Payout'), ('adjustment', 'Adjustment')], max_length=10)),
                ('purpose', models.CharField(blank=True, choices=[('pot', 'Boston pot'), ('prize', 'Prize'), ('owed', 'What is owed'), ('cash', 'Cash')], max_length=5)),
                ('cents', models.IntegerField()),
                ('payee', models.CharField(blank=True, max_length=50)),
                ('person', models.CharField(blank=True, max_length=40)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('key', models.UUIDField(default=uuid.uuid4, unique=True)),
                ('by', models.CharField(blank=True, max_length=150)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ledger', to='tournament.event')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.RESTRICT, related_name='reversed_by', to='tournament.ledger')),
                ('team', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='ledger', to='tournament.team')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'number'), name='one_receipt_per_number'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['fee', 'pot', 'prepaid', 'refund', 'payout', 'adjustment'])), name='ledger_kind'),
                    models.CheckConstraint(condition=models.Q(('cents', 0), _negated=True), name='a_line_moves_money'),
                    models.CheckConstraint(condition=models.Q(('reverses__isnull', False), models.Q(('cents__gt', 0), ('kind__in', ('fee', 'pot', 'prepaid'))), models.Q(('cents__lt', 0), ('kind__in', ('refund', 'payout'))), ('kind', 'adjustment'), _connector='OR'), name='ledger_direction'),
                    models.CheckConstraint(condition=models.Q(models.Q(('kind', 'payout'), ('purpose__in', ['pot', 'prize'])), models.Q(('kind', 'adjustment'), ('purpose__in', ['owed', 'cash'])), models.Q(models.Q(('kind__in', ['payout', 'adjustment']), _negated=True), ('purpose', '')), _connector='OR'), name='ledger_purpose'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Placing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('drawn', 'Drawn'), ('keep', 'Keep'), ('replay', 'Replay'), ('out', 'Both out'), ('in', 'Both back in')], max_length=6)),
                ('source', models.CharField(max_length=12)),
                ('before', models.JSONField()),
                ('after', models.JSONField(default=list)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placings', to='tournament.event')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                ('by', models.CharField(blank=True, max_length=150)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('event', 'number'), name='one_placing_per_number'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['drawn', 'keep', 'replay', 'out', 'in'])), name='placing_kind'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Pin',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hash', models.CharField(max_length=128)),
                ('given_at', models.DateTimeField(auto_now=True)),
                ('team', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='pin', to='tournament.team')),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('hash', ''), _negated=True), name='a_pin_has_a_hash'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Installation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=16)),
            ],
            options={
                'constraints': [],
            },
        ),
        migrations.RunPython(name_it, migrations.RunPython.noop),
    ]
